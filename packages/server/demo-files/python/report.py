"""Prints a table about the machine that the task runs on."""

import os
import platform
import shutil
import sys

disk = shutil.disk_usage("/")
rows = [
    ("Python", platform.python_version()),
    ("System", f"{platform.system()} {platform.release()}"),
    ("Processors", str(os.cpu_count())),
    ("Disk free", f"{disk.free / 2**30:.1f} GiB of {disk.total / 2**30:.1f} GiB"),
    ("Arguments", " ".join(sys.argv[1:]) or "none"),
]
width = max(len(name) for name, _ in rows)
for name, value in rows:
    print(f"\033[1m{name:<{width}}\033[0m  {value}")
