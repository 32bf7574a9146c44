// Package tools has the scripts of the Makefile. Here they are tested.
package tools

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A machine is what tools/need finds in its PATH: a folder of stubs, and the few programs that any machine has.
type machine struct {
	t   *testing.T
	bin string
	env []string
}

func newMachine(t *testing.T) *machine {
	m := &machine{t: t, bin: t.TempDir()}
	for _, name := range []string{"sort", "head", "sed", "env", "cp", "chmod"} {
		place, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(place, filepath.Join(m.bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	m.has("id", "echo 0")
	return m
}

// has puts a program there. What it does is said in the words of the shell.
func (m *machine) has(name, does string) {
	m.t.Helper()
	if err := os.WriteFile(filepath.Join(m.bin, name), []byte("#!/bin/sh\n"+does+"\n"), 0o755); err != nil {
		m.t.Fatal(err)
	}
}

// apt puts a package manager there that installs a program which does what is said; it writes down what it was asked.
func (m *machine) apt(name, does string) {
	m.t.Helper()
	m.has("packaged", does)
	m.has("apt-get", `echo "$DEBIAN_FRONTEND apt-get $*" >>`+m.log()+`
case $1 in
update) : >`+m.path("updated")+` ;;
install) [ -e `+m.path("updated")+` ] && cp `+m.path("packaged")+` `+m.path(name)+` ;;
esac`)
}

func (m *machine) path(name string) string { return filepath.Join(m.bin, name) }
func (m *machine) log() string             { return m.path("log") }

func (m *machine) logged() string {
	text, _ := os.ReadFile(m.log())
	return string(text)
}

// need runs the script, and answers with what it says and whether all is there now.
func (m *machine) need(args ...string) (said string, ok bool) {
	m.t.Helper()
	script, err := os.ReadFile("need") // read here, so that go test knows what its answer depends on
	if err != nil {
		m.t.Fatal(err)
	}
	cmd := exec.Command("/bin/sh", append([]string{"-c", string(script), "need"}, args...)...)
	cmd.Env = append([]string{"PATH=" + m.bin}, m.env...)
	out, err := cmd.CombinedOutput()
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		m.t.Fatal(err)
	}
	return string(out), err == nil
}

func (m *machine) wants(ok bool, words []string, args ...string) {
	m.t.Helper()
	said, is := m.need(args...)
	if is != ok {
		m.t.Errorf("need %s: all there is %v, want %v; it says %q", args, is, ok, said)
	}
	for _, w := range words {
		if !strings.Contains(said, w) {
			m.t.Errorf("need %s says %q, want something about %q", args, said, w)
		}
	}
	if len(words) == 0 && said != "" {
		m.t.Errorf("need %s says %q, want nothing", args, said)
	}
}

const (
	go126  = "echo go1.26.1"
	go119  = "echo go1.19.8"
	node22 = "echo v22.4.0"
	node18 = "echo v18.20.4"

	hasNumpy = `[ "$*" = "-c import numpy" ]`
	hasAll   = `[ "$*" = "-c import numpy, cloudpickle, typing_extensions" ]`
)

func TestAllIsThere(t *testing.T) {
	m := newMachine(t)
	m.has("go", go126)
	m.has("npm", "")
	m.has("node", node22)
	m.has("chromium", "")
	m.has("apt-get", "echo touched >>"+m.log())
	m.wants(true, nil, "go", "node", "chromium")
	if m.logged() != "" {
		t.Error("all was there, and the package manager was asked")
	}
}

func TestNothingIsThere(t *testing.T) {
	for tool, todo := range map[string]string{"go": "https://go.dev/dl", "node": "https://nodejs.org", "chromium": "CHROMIUM=", "firefox": "FIREFOX=", "webkit": "webkit2gtk-driver", "orca": "speech-dispatcher", "python": "PYTHON="} {
		newMachine(t).wants(false, []string{todo, "no package manager", "install it yourself"}, tool)
	}
}

func TestTooOld(t *testing.T) {
	m := newMachine(t)
	m.has("go", go119)
	m.has("node", node18)
	m.has("npm", "")
	m.wants(false, []string{"Go 1.26 or newer", "https://go.dev/dl"}, "go")
	m.wants(false, []string{"Node 20.19 or newer"}, "node")
	m.has("go", "echo go1.100")
	m.has("node", "echo v20.19.0")
	m.wants(true, nil, "go", "node")
}

func TestNodeWithoutNpm(t *testing.T) {
	m := newMachine(t)
	m.has("node", node22)
	m.wants(false, []string{"with npm"}, "node")
}

// What the package manager has is installed, and then found; as root, or with sudo where that asks for no password.
func TestInstalled(t *testing.T) {
	for _, tool := range []struct{ name, does, packages string }{
		{"go", go126, "golang-go"}, {"node", node22, "nodejs npm"}, {"chromium", "", "chromium fonts-dejavu-core"},
		{"python3", hasNumpy, "python3-numpy python3-cloudpickle python3-typing-extensions"},
	} {
		name := strings.TrimSuffix(tool.name, "3")
		for _, sudo := range []bool{false, true} {
			m := newMachine(t)
			m.has("npm", "")
			m.apt(tool.name, tool.does)
			if sudo {
				m.has("id", "echo 1000")
				m.has("sudo", `[ "$1" = -n ] && shift && echo sudo >>`+m.log()+` && exec "$@"`)
			}
			m.wants(true, []string{"installing " + name}, name)
			if !strings.Contains(m.logged(), "noninteractive apt-get install -y -qq "+tool.packages+"\n") {
				t.Errorf("%s: the package manager was asked for %q", tool.name, m.logged())
			}
			if strings.Contains(m.logged(), "sudo") != sudo {
				t.Errorf("%s: sudo is %v, and what was run is %q", tool.name, sudo, m.logged())
			}
		}
	}
}

func TestNoRightsToInstall(t *testing.T) {
	m := newMachine(t)
	m.has("id", "echo 1000")
	m.apt("chromium", "")
	m.wants(false, []string{"rights", "CHROMIUM=/path/to/it"}, "chromium") // there is no sudo
	m.has("sudo", `echo "sudo: a password is required" >&2; exit 1`)
	m.wants(false, []string{"rights", "CHROMIUM=/path/to/it"}, "chromium")
	m.has("id", "echo 0")
	m.has("apt-get", "exit 100")
	m.wants(false, []string{"apt-get could not install it", "CHROMIUM=/path/to/it"}, "chromium")
}

// The package manager has an older one than we need, as Debian has of Go; or it says that all went well, and nothing is there.
func TestInstalledAndTooOld(t *testing.T) {
	m := newMachine(t)
	m.apt("go", go119)
	m.wants(false, []string{"apt-get installed 1.19.8, which is too old", "https://go.dev/dl", "install it yourself"}, "go")
	m.apt("elsewhere", "")
	m.wants(false, []string{"apt-get installed nothing that can be found"}, "chromium")
}

func TestChromiumIsSet(t *testing.T) {
	m := newMachine(t)
	m.has("my browser", "")
	m.env = []string{"CHROMIUM=" + m.path("my browser")}
	m.wants(true, nil, "chromium")
	if where, _ := m.need("where", "chromium"); where != m.path("my browser")+"\n" {
		t.Errorf("the browser is said to be at %q", where)
	}
	m.apt("chromium", "")
	m.has("google-chrome", "") // whoever names a browser wants no other
	m.env = []string{"CHROMIUM=" + m.path("none")}
	m.wants(false, []string{"no program " + m.path("none")}, "chromium")
	if err := os.WriteFile(m.path("none"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	m.wants(false, []string{"no program " + m.path("none")}, "chromium")
	if err := os.Remove(m.path("google-chrome")); err != nil {
		t.Fatal(err)
	}
	m.env = []string{"CHROMIUM="} // as the Makefile says when it has found none
	m.wants(true, []string{"installing chromium"}, "chromium")
}

// The first Python on the path may be one without numpy; and PettingZoo's sources need more, where they are used.
func TestPython(t *testing.T) {
	m := newMachine(t)
	m.has("python3", "exit 1")
	m.wants(false, []string{"Python 3.9 or newer with numpy (", "PYTHON=/path/to/it"}, "python")
	further := t.TempDir()
	m.env = []string{"PATH=" + m.bin + ":" + further}
	if err := os.WriteFile(filepath.Join(further, "python3"), []byte("#!/bin/sh\n"+hasNumpy+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if where, ok := m.need("where", "python"); where != further+"/python3\n" || !ok {
		t.Errorf("the one with numpy is said to be at %q", where)
	}
	m.env = append(m.env, "CAVEAU_PETTINGZOO=/somewhere")
	m.wants(false, []string{"numpy, cloudpickle and typing_extensions"}, "python")
	m.has("my snake", hasAll)
	m.env = append(m.env, "PYTHON="+m.path("my snake"))
	m.wants(true, nil, "python")
	if where, _ := m.need("where", "python"); where != m.path("my snake")+"\n" {
		t.Errorf("it is said to be at %q", where)
	}
	m.env = append(m.env, "PYTHON="+m.path("none")) // whoever names one wants no other
	m.wants(false, []string{m.path("none") + " is none"}, "python")
}

// Its driver alone is not enough: it draws on a screen.
func TestWebKit(t *testing.T) {
	m := newMachine(t)
	m.has("WebKitWebDriver", "")
	m.wants(false, []string{"xvfb-run"}, "webkit")
	m.apt("xvfb-run", "")
	m.wants(true, []string{"installing webkit"}, "webkit")
	if !strings.Contains(m.logged(), "webkit2gtk-driver xvfb xauth\n") {
		t.Errorf("the package manager was asked for %q", m.logged())
	}
}

// Whoever hears needs more than a screen reader.
func TestOrca(t *testing.T) {
	m := newMachine(t)
	for _, name := range []string{"orca", "Xvfb", "dbus-daemon", "openbox", "speech-dispatcher"} {
		m.has(name, "")
	}
	m.wants(false, []string{"the Orca screen reader", "xdotool"}, "orca")
	m.apt("xdotool", "")
	m.wants(true, []string{"installing orca"}, "orca")
	if !strings.Contains(m.logged(), "orca at-spi2-core dbus xvfb openbox xdotool speech-dispatcher\n") {
		t.Errorf("the package manager was asked for %q", m.logged())
	}
}

// Debian has each version of PostgreSQL in a folder of its own, which is on nobody's path.
func TestPostgres(t *testing.T) {
	m := newMachine(t)
	debian := t.TempDir()
	m.env = []string{"PGLIB=" + debian}
	m.wants(false, []string{"PostgreSQL 15 or newer (", "POSTGRES=/path/to/bin/postgres"}, "postgres")
	m.has("postgres", "echo 'postgres (PostgreSQL) 14.2 (Ubuntu 14.2-1)'")
	m.wants(false, []string{"no package manager"}, "postgres")
	bin := filepath.Join(debian, "15", "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(m.path("postgres"), filepath.Join(bin, "postgres")); err != nil {
		t.Fatal(err)
	}
	m.has("postgres", "echo 'postgres (PostgreSQL) 15.18 (Debian 15.18-0)'")
	m.wants(true, nil, "postgres") // the newest counts
	m.env = append(m.env, "POSTGRES="+filepath.Join(bin, "postgres"))
	m.wants(false, []string{"is none"}, "postgres") // whoever names one wants no other
	m.env = m.env[:1]
	if err := os.Remove(m.path("postgres")); err != nil {
		t.Fatal(err)
	}
	m.apt("postgres", "echo 'postgres (PostgreSQL) 17.0'")
	m.wants(true, []string{"installing postgres …"}, "postgres")
	if said := m.logged(); !strings.Contains(said, "install -y -qq postgresql\n") {
		t.Errorf("apt-get was asked %q", said)
	}
}

// The tests kill all processes of a PostgreSQL, or have them stand still; a small system has nothing that finds them.
func TestPgrep(t *testing.T) {
	m := newMachine(t)
	m.wants(false, []string{"package procps", "no package manager"}, "pgrep")
	m.apt("pgrep", "")
	m.wants(true, []string{"installing pgrep …"}, "pgrep")
	if said := m.logged(); !strings.Contains(said, "install -y -qq procps\n") {
		t.Errorf("apt-get was asked %q", said)
	}
}

func TestWhere(t *testing.T) {
	m := newMachine(t)
	if where, ok := m.need("where", "chromium"); where != "" || !ok {
		t.Errorf("no browser is there, and it is said to be at %q (%v)", where, ok)
	}
	for _, name := range []string{"google-chrome", "chromium-browser", "chromium"} {
		m.has(name, "")
		if where, _ := m.need("where", "chromium"); where != m.path(name)+"\n" {
			t.Errorf("%s is said to be at %q", name, where)
		}
	}
}

// On a fresh machine the browser comes while make runs: what make tells its commands must not be older than that.
func TestMakeLooksForTheBrowserLate(t *testing.T) {
	m := newMachine(t)
	makes, err := exec.LookPath("make")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	rules := string(text) + `
late: early
	@echo after=$$CHROMIUM
early:
	@echo before=$$CHROMIUM
	@cp $(BIN)/packaged $(BIN)/chromium
`
	if err := os.WriteFile(filepath.Join(dir, "Makefile"), []byte(rules), 0o644); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(here, filepath.Join(dir, "tools")); err != nil {
		t.Fatal(err)
	}
	find, err := exec.LookPath("find")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(find, m.path("find")); err != nil {
		t.Fatal(err)
	}
	m.has("packaged", "")
	cmd := exec.Command(makes, "-C", dir, "--no-print-directory", "late", "BIN="+m.bin)
	cmd.Env = []string{"PATH=" + m.bin}
	out, err := cmd.CombinedOutput()
	if want := "before=\nafter=" + m.path("chromium") + "\n"; err != nil || string(out) != want {
		t.Errorf("make says %q (%v), want %q", out, err, want)
	}
}
