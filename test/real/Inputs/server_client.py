# server_client.py - talks to memcached, redis or nginx on loopback, the same at each run, by four connections in turn.
# What the server answers is its result: of a deterministic client, it is the same with and without heapprof.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import hashlib
import http.client
import os
import signal
import socket
import time

CONNECTIONS = 4
PATIENCE = 600  # seconds; a busy machine takes its time


class Client:
    least_of_children = 0  # allocations, together
    forks_workers = False  # the server itself does nothing more, and its death would leave them
    dump_signal, end_signal = signal.SIGUSR2, signal.SIGTERM

    @staticmethod
    def prepare(directory, port):
        """Puts into DIRECTORY what the server reads."""

    def __init__(self, port):
        self.sockets = [socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
                        for _ in range(CONNECTIONS)]
        self.files = [s.makefile("rb") for s in self.sockets]
        self.answers = hashlib.sha256()

    def line(self, way):
        line = self.files[way].readline()
        if not line.endswith(b"\r\n"):
            raise ConnectionError("the server hung up: %r" % line)
        return line

    def ask(self, step, request):
        """The answer to REQUEST by one of the connections."""
        way = step % CONNECTIONS
        self.sockets[way].sendall(request)
        return self.answer(way)

    def steps(self, first, last):
        for step in range(first, last):
            for request in self.requests(step):
                self.answers.update(self.ask(step, request))

    def fork(self, server):
        """Lets SERVER, a process, fork, if it does, and its child end."""


class Memcached(Client):
    program = "memcached-debug"
    threads, children, least = 5, 0, 100  # main and four workers; slabs hold the rest
    sites = (("memory_allocate", "char"), ("conn_new", "conn"), ("assoc_init", "void *"))

    @staticmethod
    def arguments(port):
        return ["-l", "127.0.0.1", "-p", str(port), "-U", "0", "-u", "root", "-m", "32", "-o", "relaxed_privileges"]

    def answer(self, way):
        text = line = self.line(way)
        while line.startswith((b"VALUE", b"STAT")):
            if line.startswith(b"VALUE"):
                text += self.files[way].read(int(line.split()[3]) + 2)
            line = self.line(way)
            text += line
        return text

    @staticmethod
    def requests(step):
        key, size = b"key%d" % (step * 7919 % 500), step * 31 % 3000
        yield b"set %s %d 0 %d\r\n%s\r\n" % (key, step % 7, size, b"x" * size)
        yield b"get %s key%d none\r\n" % (key, step % 500)
        yield b"append %s 0 0 3\r\nabc\r\n" % key
        yield b"set n%d 0 0 1\r\n5\r\n" % (step % 10)
        yield b"incr n%d %d\r\n" % (step % 10, step)
        if step % 11 == 0:
            yield b"delete %s\r\n" % key
        if step % 100 == 0:  # larger than a page of the slabs holds
            yield b"set large 0 0 700000\r\n%s\r\n" % (b"y" * 700000)
            yield b"nonsense %d\r\n" % step


class Redis(Client):
    program = "src/redis-server"
    threads, children, least = 2, 1, 50000
    sites = (("createClient", "client"), ("dictAddRaw", "dictEntry"), ("zslCreateNode", "zskiplistNode"),
             ("luaH_new", "Table"))

    @staticmethod
    def arguments(port):
        return ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--daemonize", "no"]

    def answer(self, way):
        text = self.line(way)
        if text[:1] == b"$" and int(text[1:]) >= 0:
            text += self.files[way].read(int(text[1:]) + 2)
        elif text[:1] == b"*":
            for _ in range(int(text[1:])):
                text += self.answer(way)
        return text

    @staticmethod
    def requests(step):
        def command(*words):
            words = [w if isinstance(w, bytes) else str(w).encode() for w in words]
            return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words)
        key = step * 7919 % 500
        yield command("set", "key%d" % key, b"x" * (step * 31 % 3000))
        yield command("append", "key%d" % (step % 500), "abc")
        yield command("get", "key%d" % (step % 500))
        yield command("hset", "hash%d" % (step % 20), "field%d" % step, step)
        yield command("hget", "hash%d" % (step % 20), "field%d" % (step // 2))
        yield command("lpush", "list%d" % (step % 30), step, b"y" * (step % 200))
        yield command("lrange", "list%d" % (step % 30), 0, 5)
        yield command("zadd", "sorted", step % 97, "member%d" % step)
        yield command("zrangebyscore", "sorted", 3, 5, "limit", 0, 10)
        yield command("xadd", "stream", "%d-1" % (step + 1), "a", step)
        if step % 11 == 0:
            yield command("del", "key%d" % key, "list%d" % (step % 30))
            yield command("eval", "local t = {} for i = 1, 50 do t[i] = redis.call('get', KEYS[1]) end return #t",
                          1, "key%d" % step)
        if step % 100 == 0:
            yield command("nonsense", step)

    def fork(self, server):
        self.ask(0, b"bgsave\r\n")
        while b"rdb_bgsave_in_progress:1" in self.ask(0, b"info persistence\r\n"):
            pass


CONFIGURATION = """
user root;
daemon off;
worker_processes 2;
error_log error.log;
pid nginx.pid;
events { worker_connections 64; }
http {
  access_log off;
  gzip on;
  gzip_min_length 100;
  types { text/html html; text/plain txt; }
  server { listen 127.0.0.1:%d; root .;
    location /proxied/ { proxy_pass http://127.0.0.1:%d/; proxy_buffers 4 4k; } }
}
"""


class Nginx(Client):
    """A master that lets two workers serve, and others after each reload."""
    program = "objs/nginx"
    threads, children, least, forks_workers = 1, 4, 50, True
    least_of_children = 40000
    dump_signal, end_signal = signal.SIGRTMIN + 3, signal.SIGQUIT
    sites = (("ngx_create_pool", "ngx_pool_s"), ("ngx_init_cycle", "ngx_array_t"), ("ngx_hash_init", "unsigned short"))

    @staticmethod
    def prepare(directory, port):
        files = {"nginx.conf": CONFIGURATION % (port, port)}
        files.update(("%d.%s" % (size, "html" if size % 2 else "txt"), "<p>line %d\n" % size * (size // 8))
                     for size in range(0, 90000, 9001))
        for name, text in files.items():
            path = os.path.join(directory, name)
            with open(path, "w", encoding="ascii") as file:
                file.write(text)
            os.utime(path, (1e9, 1e9))
        for name in ("logs", "html"):
            os.mkdir(os.path.join(directory, name))

    @staticmethod
    def arguments(_):
        return ["-p", ".", "-c", "nginx.conf"]

    def __init__(self, port):
        socket.create_connection(("127.0.0.1", port)).close()  # or it is not there yet
        self.connections = [http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE) for _ in range(CONNECTIONS)]
        self.answers = hashlib.sha256()

    def ask(self, step, request):
        connection = self.connections[step % CONNECTIONS]
        connection.request(*request)
        response = connection.getresponse()
        headers = sorted(h for h in response.getheaders() if h[0] not in ("Date", "Connection"))
        return b"%d %r %s" % (response.status, headers, response.read())

    @staticmethod
    def requests(step):
        size = step % 10 * 9001
        name = "/%d.%s" % (size, "html" if size % 2 else "txt")
        yield "GET", name
        yield "HEAD", name
        yield "GET", name, None, {"Accept-Encoding": "gzip"}
        yield "GET", name, None, {"Range": "bytes=%d-%d" % (step % 100, step)}
        yield "GET", "/none%d" % step
        if step % 5 == 0:
            yield "GET", "/proxied" + name, None, {"X-Long": "y" * (step % 3000)}
            yield "POST", name, "z" * step
            yield "GET", name, None, {"If-Modified-Since": "Sun, 09 Sep 2001 01:46:40 GMT"}

    def fork(self, server):
        """A reload: the workers are replaced, and end when their connections do."""
        def workers():
            with open("/proc/%d/task/%d/children" % (server.pid, server.pid), encoding="ascii") as file:
                return set(file.read().split())
        old = workers()
        server.send_signal(signal.SIGHUP)
        for connection in self.connections:
            connection.close()
        until = time.monotonic() + PATIENCE
        while old & workers() or len(workers()) < 2:
            if time.monotonic() > until:
                raise TimeoutError("the workers are not replaced: %s, %s" % (old, workers()))
            time.sleep(0.01)
        self.steps(0, 100)
        for connection in self.connections:
            connection.close()
