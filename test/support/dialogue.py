"""Holds a dialogue with a command on a terminal of its own, and says how long each answer took, as JSON.

dialogue.py STEPS COMMAND...: STEPS is JSON, a list of {"wait": seconds, "send": text, "until": text}: after `wait`, `send` is
typed, and the step ends when `until` has been printed behind it. {"hangUp": true} closes the terminal instead, and the step ends
with the command. Answers {"steps": [{"milliseconds", "waited", "output"}], "status"}: `waited` of the milliseconds the command, or this program, could have
run and had no processor.
"""
import json
import os
import pty
import select
import sys
import time

PATIENCE = 20

steps, command = json.loads(sys.argv[1]), sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    os.execv(command[0], command)


def waited():
    """Seconds that the command's main thread, and this program, were ready to run and did not (proc(5): schedstat)."""
    total = 0
    for name in (pid, os.getpid()):
        try:
            with open("/proc/%d/schedstat" % name) as file:
                total += int(file.read().split()[1])
        except (OSError, IndexError):
            pass
    return total / 1e9


def ended(seconds):
    """The status of the command, which has so long to end."""
    last = time.monotonic() + seconds
    while time.monotonic() < last:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.WEXITSTATUS(status) if os.WIFEXITED(status) else "signal %d" % os.WTERMSIG(status)
        time.sleep(0.005)
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    return None


def answer(text):
    """What is printed up to `text`; all that there is when it does not come."""
    output, last = b"", time.monotonic() + PATIENCE
    while text not in output and time.monotonic() < last:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                chunk = os.read(terminal, 65536)
            except OSError:
                break
            output += chunk
    return output


results, status = [], None
for step in steps:
    # What is printed in the meantime is no answer.
    last = time.monotonic() + step.get("wait", 0)
    while time.monotonic() < last:
        if select.select([terminal], [], [], 0.02)[0]:
            try:
                os.read(terminal, 65536)
            except OSError:
                break
    began, idle = time.monotonic(), waited()
    if step.get("hangUp"):
        os.close(terminal)
        status = ended(PATIENCE)
        results.append({"milliseconds": (time.monotonic() - began) * 1000, "waited": 0, "output": ""})
        break
    os.write(terminal, step["send"].encode())
    output = answer(step["until"].encode())
    milliseconds = (time.monotonic() - began) * 1000
    results.append({"milliseconds": milliseconds, "waited": (waited() - idle) * 1000, "output": output.decode("utf-8", "replace")})
else:
    os.close(terminal)
    status = ended(PATIENCE)
print(json.dumps({"steps": results, "status": status}))
