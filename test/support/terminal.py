"""Runs a command on a terminal of its own and says how it ended, as JSON.

terminal.py SECONDS KEYS COMMAND...: types KEYS after SECONDS (Ctrl-C is \\x03), or nothing when KEYS is empty. Standard output
and error of the command are the terminal too.
"""
import json
import os
import pty
import select
import sys
import time

delay, keys, command = float(sys.argv[1]), sys.argv[2].encode().decode("unicode_escape").encode(), sys.argv[3:]
began = time.monotonic()
pid, terminal = pty.fork()
if pid == 0:
    os.execv(command[0], command)

output, typed, ended = b"", None, None
while time.monotonic() - began < 20:
    ready, _, _ = select.select([terminal], [], [], 0.005)
    if ready:
        try:
            output += os.read(terminal, 65536)
        except OSError:
            pass
    if keys and typed is None and time.monotonic() - began >= delay:
        os.write(terminal, keys)
        typed = time.monotonic()
    done, status = os.waitpid(pid, os.WNOHANG)
    if done:
        ended = time.monotonic()
        break
else:
    os.kill(pid, 9)
    os.waitpid(pid, 0)

# What is still on its way.
while select.select([terminal], [], [], 0)[0]:
    try:
        chunk = os.read(terminal, 65536)
    except OSError:
        break
    if not chunk:
        break
    output += chunk

print(
    json.dumps(
        {
            "status": None
            if ended is None
            else (os.WEXITSTATUS(status) if os.WIFEXITED(status) else "signal %d" % os.WTERMSIG(status)),
            "milliseconds": None if ended is None else (ended - began) * 1000,
            "afterKeys": None if ended is None or typed is None else (ended - typed) * 1000,
            "output": output[-4000:].decode("utf-8", "replace"),
        }
    )
)
