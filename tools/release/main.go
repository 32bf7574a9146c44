// Release makes what is given to others: for each kind of machine an archive with the program, the client in it, and what belongs to it,
// and the sums of all. From the same sources it is the same to the byte, wherever, whenever and by whomever it is made.
//
//	go run ./tools/release -version v1.0.0 -at 1700000000 DIR
package main

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// machines are those that it is made for: Go's names of a system and a processor.
var machines = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64"}

func main() {
	version := flag.String("version", "", "what the program says of itself, and the archives are called")
	at := flag.Int64("at", 0, "the time of all files, in Unix seconds")
	only := flag.String("machines", strings.Join(machines, ","), "for which machines")
	flag.Parse()
	if *version == "" || strings.ContainsAny(*version, "/ ") || flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: release -version NAME [-at SECONDS] [-machines SYSTEM/PROCESSOR,…] DIR")
		os.Exit(2)
	}
	if err := release(flag.Arg(0), *version, time.Unix(*at, 0).UTC(), strings.Split(*only, ",")); err != nil {
		fmt.Fprintf(os.Stderr, "release: %v\n", err)
		os.Exit(1)
	}
}

func release(dir, version string, at time.Time, machines []string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var sums bytes.Buffer
	for _, machine := range machines {
		system, processor, _ := strings.Cut(machine, "/")
		files, err := contents(system, processor, version)
		if err != nil {
			return fmt.Errorf("%s: %w", machine, err)
		}
		name := fmt.Sprintf("caveau-%s-%s-%s", version, system, processor)
		pack, suffix := packTar, ".tar.gz"
		if system == "windows" {
			pack, suffix = packZip, ".zip"
		}
		archive, err := pack(name, at, files)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name+suffix), archive, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(archive), name+suffix)
	}
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), sums.Bytes(), 0o644)
}

// beside are the files that go along, by the names that they have there.
var beside = [][2]string{
	{"CHANGELOG.md", "CHANGELOG.md"}, {"LICENSE", "LICENSE"}, {"operate.md", "docs/operate.md"},
	{"caveau.service", "deploy/caveau.service"}, {"alerts.yml", "deploy/alerts.yml"}, {"Containerfile", "deploy/Containerfile"}, {"kubernetes.yaml", "deploy/kubernetes.yaml"},
}

// contents are the files of an archive, in its order.
func contents(system, processor, version string) ([]file, error) {
	program, err := build(system, processor, version)
	if err != nil {
		return nil, err
	}
	licences, err := licences(system, processor)
	if err != nil {
		return nil, err
	}
	name := "caveau"
	if system == "windows" {
		name += ".exe"
	}
	files := []file{{name, 0o755, program}, {"LICENCES-OF-OTHERS.txt", 0o644, licences}}
	for _, f := range beside {
		text, err := os.ReadFile(f[1])
		if err != nil {
			return nil, err
		}
		files = append(files, file{f[0], 0o644, text})
	}
	return files, nil
}

// build is the program. Nothing of who builds it is in it: no folder, no C compiler, no state of a repository but the version's name.
func build(system, processor, version string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "release-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "caveau")
	_, err = goTool(system, processor, "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -X main.release="+version, "-o", out, "./cmd/caveau")
	if err != nil {
		return nil, err
	}
	return os.ReadFile(out)
}

// goTool runs Go for another machine, untouched by what whoever runs it likes to set, and is what it says.
func goTool(system, processor string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0", "GOFLAGS=", "GOEXPERIMENT=", "GOAMD64=v1", "GOARM64=v8.0")
	cmd.Stderr = os.Stderr
	return cmd.Output()
}
