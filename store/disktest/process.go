package disktest

import (
	"math/rand/v2"
	"os"
	"path/filepath"
)

// TakesProcess has the power, when it fails, take this process with it, as with a machine: its files become what is found afterwards, each
// thing that was not synced with that chance, and it is killed. It is called before the disk is used.
func (d *Disk) TakesProcess(rng *rand.Rand, chance float64) {
	d.dark = func() {
		if err := d.become(d.survivors(rng, chance)); err != nil {
			panic(err) // on standard error, and the process ends with another code
		}
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Kill()
		}
		if err != nil {
			panic(err)
		}
		select {} // nobody who waits for the disk is answered any more
	}
}

// become changes the files. Who has the old ones open keeps them: until the process is gone nobody reads what is found afterwards.
func (d *Disk) become(files map[string][]byte) error {
	for path := range d.now {
		if _, left := files[filepath.Base(path)]; !left {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	for name, data := range files {
		path := filepath.Join(d.dir, name)
		if err := os.WriteFile(path+".found", data, 0o600); err != nil {
			return err
		}
		if err := os.Rename(path+".found", path); err != nil {
			return err
		}
	}
	return nil
}
