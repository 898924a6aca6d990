# The bridge of a companion in ten lines: it reads what `consentctl watch --json` prints and writes what
# `consentctl answer --stdin` reads. This one says no to whatever speaks of voice, and yes to the rest.
import json
import sys

for line in sys.stdin:
    change = json.loads(line)
    if change["change"] == "added":
        wanted = "denial" if "voice" in line else "approval"
        choice = next(c["choice"] for c in change["choices"] if c["answer"] == wanted)
        answer = {"question": change["question"], "choice": choice, "contentHash": change["contentHash"]}
        print(json.dumps(answer), flush=True)
