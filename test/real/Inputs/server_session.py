"""server_session.py SCORE SERVER DIR - clients talk to DIR/plain and DIR/profiled, and get the same answers.
The profile is sound and the server's own, a signal dumps it while it serves, and kill -9 leaves what was written.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import json
import os
import shutil
import socket
import subprocess
import sys
import time

from server_client import PATIENCE, Memcached, Nginx, Redis
from whole_profile import wrong_with

HALF, END = 1000, 2000  # steps of the client
PORTS = range(10000, 20000)  # below those that clients get: one of them could take what is free now


def wait_for(what, condition):
    until = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > until:
            sys.exit("waited in vain for " + what)
        time.sleep(0.01)


def free_port():
    for turn in range(len(PORTS)):
        port = PORTS[(os.getpid() + turn) % len(PORTS)]
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                pass
    return sys.exit("no port is free")


class Session:
    """A running server and its client, and the directory of its dumps."""

    def __init__(self, kind, directory, variant, options=""):
        self.dumps = os.path.join(os.path.abspath(directory), "session")
        work = self.dumps + ".work"
        for path in (self.dumps, work):
            shutil.rmtree(path, ignore_errors=True)
            os.mkdir(path)
        port = free_port()
        kind.prepare(work, port)
        program = os.path.join(os.path.abspath(directory), variant, kind.program)
        options = "dump_dir='%s':%s" % (self.dumps, options)
        self.end_signal = kind.end_signal
        self.process = subprocess.Popen(
            [program] + kind.arguments(port), cwd=work, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, env=dict(os.environ, HEAPPROF_OPTIONS=options))
        self.client = None
        wait_for("the server", lambda: self.connects(kind, port))

    def connects(self, kind, port):
        if self.process.poll() is not None:
            sys.exit("the server ended with %d" % self.process.returncode)
        try:
            self.client = kind(port)
        except ConnectionRefusedError:
            return False
        return True

    def end(self):
        self.process.send_signal(self.end_signal)
        return self.process.wait(PATIENCE), self.client.answers.hexdigest()

    def dump(self, suffix=""):
        """The dump of the server itself, if it is there."""
        names = [name for name in os.listdir(self.dumps)
                 if name.endswith(".%d%s" % (self.process.pid, suffix))]
        return os.path.join(self.dumps, names[0]) if names else ""

    def has(self, name, suffix=""):
        return os.path.exists(os.path.join(self.dump(suffix), name))


def serve(kind, directory, variant, options=""):
    """Its session, when it has ended, and what came of it."""
    session = Session(kind, directory, variant, options)
    session.client.steps(0, HALF)
    if options:
        session.process.send_signal(kind.dump_signal)
    session.client.steps(HALF, END)
    session.client.fork(session.process)
    if options:
        wait_for("the dump", lambda: session.has("end", ".1"))
    return session, session.end()


def is_profile_right(kind, session, score):
    wrong, of_children = [], 0
    for name in os.listdir(session.dumps):  # of the server, at the signal too, and its child
        path = os.path.join(session.dumps, name)
        document, errors = wrong_with(score, path,
                                      "dump_signal" if path == session.dump(".1") else "exit")
        process, = document.processes
        print("%s: %d chunks, %d points, %d threads" %
              (name, process.allocations, len(document.points), process.threads))
        wrong += ["%s: %s" % (name, error) for error in errors]
        if process.pid != session.process.pid:
            of_children += process.allocations
            continue
        if process.threads < kind.threads:
            wrong.append("%s: %d threads" % (name, process.threads))
        if process.allocations < kind.least:
            wrong.append("%s: %d allocations" % (name, process.allocations))
        for function, name_of_type in kind.sites:
            points = [p for p in document.points
                      if any(frame["function"] == function for frame in p.stack)]
            if name_of_type not in [p.type for p in points]:
                wrong.append("%s: %s in %s: %s" % (name, name_of_type, function,
                                                   [p.type for p in points]))
    if of_children < kind.least_of_children:
        wrong.append("%d allocations of children" % of_children)
    if len(os.listdir(session.dumps)) != 2 + kind.children:
        wrong.append("dumps: %s" % os.listdir(session.dumps))
    return wrong


def is_kill_survived(kind, directory, score):
    session = Session(kind, directory, "profiled", "checkpoint_ms=20")
    step = 0
    while not session.has("aggregates"):
        session.client.steps(step, step + 50)
        step += 50
    session.process.kill()
    session.process.wait()
    done = subprocess.run([score, "--json", session.dump()], stdout=subprocess.PIPE, check=True)
    document = json.loads(done.stdout)
    process, = document["processes"]
    chunks = sum(point["chunks"] for point in document["points"])
    if process["ended"] != "killed" or not 0 < process["allocations"] == chunks:
        return ["killed: %d chunks of %s" % (chunks, process)]
    return []


def main():
    score, server, directory = sys.argv[1:4]
    kind = {"memcached": Memcached, "nginx": Nginx, "redis": Redis}[server]
    plain = serve(kind, directory, "plain")[1]
    session, profiled = serve(kind, directory, "profiled", "dump_signal=%d:chunk_log=all" % kind.dump_signal)
    wrong = is_profile_right(kind, session, score)
    if plain != profiled or plain[0] != 0:
        wrong.append("exit code and answers: plain %s, profiled %s" % (plain, profiled))
    if not kind.forks_workers:
        wrong += is_kill_survived(kind, directory, score)
    if wrong:
        sys.exit("%d wrong:\n%s" % (len(wrong), "\n".join(wrong[:20])))


main()
