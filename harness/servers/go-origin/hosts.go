package main

import (
	"bufio"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// newHosts answers for each host by its files, or by the program behind its socket.
func newHosts(wanted *config) http.Handler {
	byName := map[string]http.Handler{}
	bySocket := map[string]http.Handler{}
	for _, host := range wanted.Hosts {
		if host.Socket == "" {
			byName[host.Name] = files{wanted, host.Directory}
			continue
		}
		if bySocket[host.Socket] == nil {
			bySocket[host.Socket] = behind(wanted, host.Socket)
		}
		byName[host.Name] = bySocket[host.Socket]
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if answering := byName[hostOf(r)]; answering != nil {
			answering.ServeHTTP(w, r)
			return
		}
		// RFC 9110, 15.5.20: a host that this origin does not answer for.
		http.Error(w, "This host is not served here.", http.StatusMisdirectedRequest)
	})
}

// hostOf names the host of a request in lower case, without its port.
func hostOf(r *http.Request) string {
	name, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		name = r.Host
	}
	return strings.ToLower(name)
}

// files hands out those of a folder as they are, or as they were compressed beforehand.
type files struct {
	wanted    *config
	directory string
}

// Codings of files that lie beside a file, the best first.
var codings = []struct{ name, ending string }{{"br", ".br"}, {"gzip", ".gz"}}

func (served files) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("Timing-Allow-Origin", "*")
	header.Set("Cache-Control", served.wanted.CacheControl)
	// A folder's address gives its index.html.
	name := path.Clean("/" + r.URL.Path)
	if strings.HasSuffix(r.URL.Path, "/") {
		name = path.Join(name, "index.html")
	}
	ending := strings.TrimPrefix(path.Ext(name), ".")
	if unkept := served.wanted.Unkept; ending == unkept.Ending && ending != "" {
		header.Set("Cache-Control", unkept.CacheControl)
	}
	if kind := served.wanted.ContentTypes[ending]; kind != "" {
		header.Set("Content-Type", kind)
		if kind == served.wanted.ContentTypes["html"] {
			header.Set("Cache-Control", served.wanted.DocumentCacheControl)
		}
	} else {
		// Nothing is guessed from the bytes.
		header["Content-Type"] = nil
	}
	place := filepath.Join(served.directory, filepath.FromSlash(name))
	for _, coding := range codings {
		if !accepts(r, coding.name) {
			continue
		}
		if file, about := opened(place + coding.ending); file != nil {
			defer file.Close()
			header.Set("Content-Encoding", coding.name)
			header.Set("Vary", "Accept-Encoding")
			header.Set("Content-Length", strconv.FormatInt(about.Size(), 10))
			answerWith(w, r, name, file, about)
			return
		}
	}
	file, about := opened(place)
	if file == nil {
		http.NotFound(w, r)
		return
	}
	defer file.Close()
	answerWith(w, r, name, file, about)
}

// accepts says whether a coding may be used; a part of a file is one of the file as it is.
func accepts(r *http.Request, coding string) bool {
	if r.Header.Get("Range") != "" {
		return false
	}
	for accepted := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, _, _ := strings.Cut(accepted, ";")
		if strings.TrimSpace(name) == coding {
			return true
		}
	}
	return false
}

// opened is nil for what is no file.
func opened(place string) (*os.File, fs.FileInfo) {
	file, err := os.Open(place)
	if err != nil {
		return nil, nil
	}
	about, err := file.Stat()
	if err != nil || about.IsDir() {
		file.Close()
		return nil, nil
	}
	return file, about
}

// What is handed to a transport at once. In parts of 32 KB an urgent file would wait after each for a socket that others have
// filled meanwhile.
const partBytes = 1 << 20

func answerWith(w http.ResponseWriter, r *http.Request, name string, file *os.File, about fs.FileInfo) {
	w.Header().Set("ETag", fmt.Sprintf(`"%x-%x"`, about.ModTime().UnixNano(), about.Size()))
	gathered := gatherer{w, bufio.NewWriterSize(w, int(min(about.Size()+1, partBytes)))}
	http.ServeContent(gathered, r, name, about.ModTime(), file)
	// A client that has gone is told by its log entry.
	_ = gathered.body.Flush()
}

// gatherer hands a body on in large parts.
type gatherer struct {
	http.ResponseWriter
	body *bufio.Writer
}

func (gathered gatherer) Write(part []byte) (int, error) {
	return gathered.body.Write(part)
}
