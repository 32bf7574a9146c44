// Package disktest is a disk whose power can be cut, and which fails when it is told to, under the SQLite driver of the product.
package disktest

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// A Disk is a directory whose power can be cut. It sits between SQLite and the system, under the driver that the product
// uses, passes everything on, and keeps book of what a sync has made
// sure of and what not. What is lost with the power: of the files, each sector written since the file's last sync, or not;
// of the directory, each file created or deleted since its last sync, or not. The directory is synced when SQLite's own
// layer does it: with the first sync of a journal it created, or when a deletion asks for it.
type Disk struct {
	dir string

	mu   sync.Mutex
	now  map[string]*inode // by path, as the running system sees it
	kept map[string]*inode // by path, what the directory will have after a power cut at least
	ops  int               // changes so far
	// Cut is the change at which the power fails, counted from 1; 0 for never. It is set before the disk is used.
	Cut   int
	off   bool
	dark  func()                    // what the power takes with it, and does not come back; nil for the disk alone
	fault func(change string) int32 // a result code to fail with; nil for a sound disk
	// ReadOnly is what the system says of every file that exists. It is set before the disk is used.
	ReadOnly bool
}

// An inode is the content of a file.
type inode struct {
	kept []byte   // as of the last sync
	late []change // since then
}

// A change is a write at an offset, or with no data a truncation to that length.
type change struct {
	at   int64
	data []byte
}

const sector = 512

// New is a disk with these files, by name, all of them synced.
func New(t testing.TB, files map[string][]byte) *Disk {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d, err := At(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // else what has them by the hundred keeps all their files
		disks.Lock()
		defer disks.Unlock()
		delete(disks.byDir, d.dir)
	})
	return d
}

// At is a disk with the files that are in a directory, all of them synced.
func At(dir string) (*Disk, error) {
	registerDisks()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return nil, err
	}
	d := &Disk{dir: dir, now: map[string]*inode{}}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		d.now[path] = &inode{kept: data}
	}
	d.kept = maps.Clone(d.now)
	disks.Lock()
	defer disks.Unlock()
	disks.byDir[dir] = d
	return d, nil
}

// Path is where a store is to be opened.
func (d *Disk) Path() string { return filepath.Join(d.dir, "caveau.db") }

// step counts a change, and is the result code that it fails with. The caller holds d.mu.
func (d *Disk) step(change string) int32 {
	if d.ops++; d.ops == d.Cut {
		d.off = true
		if d.dark != nil {
			d.dark()
		}
	}
	if d.off {
		return sqlite3.SQLITE_IOERR
	}
	if d.fault != nil {
		return d.fault(change)
	}
	return sqlite3.SQLITE_OK
}

// SetFault makes changes ("create", "write", "truncate", "sync", "delete") fail from now on with SQLite's code that fault says, or
// with nil no more.
func (d *Disk) SetFault(fault func(change string) int32) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fault = fault
}

// Off says whether the power has failed.
func (d *Disk) Off() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.off
}

// Survivors cuts the power, if it is not off yet, and is the files that are found afterwards. Each thing that was not
// synced is there with that chance.
func (d *Disk) Survivors(rng *rand.Rand, chance float64) map[string][]byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.off = true
	return d.survivors(rng, chance)
}

func (d *Disk) survivors(rng *rand.Rand, chance float64) map[string][]byte {
	paths := slices.AppendSeq(slices.Collect(maps.Keys(d.kept)), maps.Keys(d.now))
	slices.Sort(paths)
	files := map[string][]byte{}
	for _, path := range slices.Compact(paths) {
		n := d.kept[path]
		if d.now[path] != n && rng.Float64() < chance {
			n = d.now[path]
		}
		if n != nil {
			files[filepath.Base(path)] = n.survivor(rng, chance)
		}
	}
	return files
}

// Synced is what a power cut leaves at least.
func (d *Disk) Synced() map[string][]byte {
	return d.Survivors(rand.New(rand.NewPCG(0, 0)), 0)
}

func (n *inode) survivor(rng *rand.Rand, chance float64) []byte {
	content := bytes.Clone(n.kept)
	for _, c := range n.late {
		for _, part := range c.sectors() {
			if rng.Float64() < chance {
				content = part.apply(content)
			}
		}
	}
	return content
}

// sectors are the parts of a change that are kept or lost each for itself.
func (c change) sectors() (parts []change) {
	if c.data == nil {
		return []change{c}
	}
	for at, data := c.at, c.data; len(data) > 0; {
		n := min(sector-at%sector, int64(len(data)))
		parts = append(parts, change{at, data[:n]})
		at, data = at+n, data[n:]
	}
	return parts
}

func (c change) apply(content []byte) []byte {
	end := c.at + int64(len(c.data))
	if grow := end - int64(len(content)); grow > 0 {
		content = append(content, make([]byte, grow)...)
	}
	copy(content[c.at:], c.data)
	if c.data == nil {
		return content[:c.at]
	}
	return content
}

// What follows is the layer itself: SQLite's own, with five functions put before its functions.

type (
	vfs     = sqlite3.Tsqlite3_vfs
	methods = sqlite3.Tsqlite3_io_methods
)

// disks are all disks of the process, and the files open on them.
var disks = struct {
	sync.Mutex
	byDir map[string]*Disk
	files map[uintptr]*openFile // by SQLite's address of the file
	ours  map[*methods]*methods // by SQLite's own table of functions, the one with ours in it
}{byDir: map[string]*Disk{}, files: map[uintptr]*openFile{}, ours: map[*methods]*methods{}}

// An openFile is a file that SQLite has opened on a disk.
type openFile struct {
	*Disk
	*inode
	system  *methods // the functions of SQLite's own layer
	syncDir bool     // the next sync is one of the directory, too
}

// system is SQLite's own layer.
var system *vfs

// registerDisks puts the layer under all that is opened from now on; what lies on no disk is the system's affair.
var registerDisks = sync.OnceFunc(func() {
	tls := libc.NewTLS()
	name, err := libc.CString("disk")
	if err != nil {
		panic(err) // no memory
	}
	system = as[*vfs](sqlite3.Xsqlite3_vfs_find(tls, 0))
	ours := cloned(tls, system)
	ours.FpNext, ours.FzName = 0, name
	ours.FxOpen, ours.FxDelete = address(diskOpen), address(diskDelete)
	sqlite3.Xsqlite3_vfs_register(tls, address(ours), 1)
})

// as is what SQLite's address points to: a *T, or a function.
func as[T any](address uintptr) T { return *(*T)(unsafe.Pointer(&address)) }

// address is the other way round. The thing must be none that Go's collector could take away.
func address[T any](thing T) uintptr { return *(*uintptr)(unsafe.Pointer(&thing)) }

// cloned is a copy in SQLite's memory, where it stays.
func cloned[T any](tls *libc.TLS, original *T) *T {
	clone := as[*T](libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(*original))))
	*clone = *original
	return clone
}

func diskOpen(tls *libc.TLS, _, name, file uintptr, flags int32, outFlags uintptr) int32 {
	path := libc.GoString(name)
	disks.Lock()
	defer disks.Unlock()
	d := disks.byDir[filepath.Dir(path)]
	if d == nil || name == 0 {
		return openSystem(tls, name, file, flags, outFlags)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ReadOnly && d.now[path] != nil {
		flags = flags&^(sqlite3.SQLITE_OPEN_READWRITE|sqlite3.SQLITE_OPEN_CREATE) | sqlite3.SQLITE_OPEN_READONLY
	} else if d.now[path] == nil {
		if rc := d.step("create"); rc != sqlite3.SQLITE_OK {
			return rc
		}
	}
	if rc := openSystem(tls, name, file, flags, outFlags); rc != sqlite3.SQLITE_OK {
		return rc
	}
	f := as[*sqlite3.Tsqlite3_file](file)
	disks.files[file] = d.opened(path, flags, as[*methods](f.FpMethods))
	f.FpMethods = address(withOurs(tls, as[*methods](f.FpMethods)))
	return sqlite3.SQLITE_OK
}

func openSystem(tls *libc.TLS, name, file uintptr, flags int32, outFlags uintptr) int32 {
	open := as[func(*libc.TLS, uintptr, uintptr, uintptr, int32, uintptr) int32](system.FxOpen)
	return open(tls, address(system), name, file, flags, outFlags)
}

func (d *Disk) opened(path string, flags int32, system *methods) *openFile {
	if d.now[path] == nil {
		d.now[path] = &inode{}
	}
	const journals = sqlite3.SQLITE_OPEN_WAL | sqlite3.SQLITE_OPEN_MAIN_JOURNAL
	syncDir := flags&sqlite3.SQLITE_OPEN_CREATE != 0 && flags&journals != 0
	return &openFile{d, d.now[path], system, syncDir}
}

// withOurs is SQLite's table of functions with four of ours in it. The caller holds disks.
func withOurs(tls *libc.TLS, system *methods) *methods {
	if disks.ours[system] == nil {
		table := cloned(tls, system)
		table.FxWrite, table.FxTruncate = address(diskWrite), address(diskTruncate)
		table.FxSync, table.FxClose = address(diskSync), address(diskClose)
		disks.ours[system] = table
	}
	return disks.ours[system]
}

func openFileAt(file uintptr) *openFile {
	disks.Lock()
	defer disks.Unlock()
	return disks.files[file]
}

func diskClose(tls *libc.TLS, file uintptr) int32 {
	f := openFileAt(file)
	disks.Lock()
	delete(disks.files, file)
	disks.Unlock()
	return as[func(*libc.TLS, uintptr) int32](f.system.FxClose)(tls, file)
}

func diskWrite(tls *libc.TLS, file, data uintptr, n int32, at int64) int32 {
	f := openFileAt(file)
	f.mu.Lock()
	defer f.mu.Unlock()
	if rc := f.step("write"); rc != sqlite3.SQLITE_OK {
		return rc
	}
	f.late = append(f.late, change{at, bytes.Clone(unsafe.Slice(as[*byte](data), n))})
	return as[func(*libc.TLS, uintptr, uintptr, int32, int64) int32](f.system.FxWrite)(tls, file, data, n, at)
}

func diskTruncate(tls *libc.TLS, file uintptr, size int64) int32 {
	f := openFileAt(file)
	f.mu.Lock()
	defer f.mu.Unlock()
	if rc := f.step("truncate"); rc != sqlite3.SQLITE_OK {
		return rc
	}
	f.late = append(f.late, change{at: size})
	return as[func(*libc.TLS, uintptr, int64) int32](f.system.FxTruncate)(tls, file, size)
}

// diskSync bothers no real disk: a power cut here is only ever ours.
func diskSync(_ *libc.TLS, file uintptr, _ int32) int32 {
	f := openFileAt(file)
	f.mu.Lock()
	defer f.mu.Unlock()
	if rc := f.step("sync"); rc != sqlite3.SQLITE_OK {
		return rc
	}
	for _, c := range f.late {
		f.inode.kept = c.apply(f.inode.kept)
	}
	f.late = nil
	if f.syncDir {
		f.Disk.kept = maps.Clone(f.now)
		f.syncDir = false
	}
	return sqlite3.SQLITE_OK
}

func diskDelete(tls *libc.TLS, _, name uintptr, syncDir int32) int32 {
	path := libc.GoString(name)
	remove := as[func(*libc.TLS, uintptr, uintptr, int32) int32](system.FxDelete)
	disks.Lock()
	d := disks.byDir[filepath.Dir(path)]
	disks.Unlock()
	if d == nil {
		return remove(tls, address(system), name, syncDir)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if rc := d.step("delete"); rc != sqlite3.SQLITE_OK {
		return rc
	}
	delete(d.now, path)
	if syncDir != 0 {
		d.kept = maps.Clone(d.now)
	}
	return remove(tls, address(system), name, 0)
}
