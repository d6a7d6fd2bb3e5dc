# SPDX-License-Identifier: Apache-2.0
"""docs/cluster.md: its job script, run with stand-ins for Slurm's commands, until the run has reached its end."""

import os
import re
import subprocess
from pathlib import Path

from test_run import bits

PAGE = Path(__file__).resolve().parents[2] / "docs" / "cluster.md"
# srun sends SIGTERM soon, as Slurm does before the limit of a job; AddressSanitizer makes starts slow
SOON = 3 if os.environ.get("HORNBEAM_SANITIZED") == "1" else 0.3
SRUN = f"""#!/bin/sh
shift
"$@" &
run=$!
(sleep {SOON}; kill -TERM $run 2>/dev/null) &
wait $run
"""


def test_the_job_script_goes_on_to_the_end(hornbeam, config):
    script = re.search(r"```bash\n(.*?)```", PAGE.read_text(), re.S).group(1)
    (hornbeam.folder / "job.sh").write_text(script)
    config("[gravity]\neps = 0.1\n", n=300, dt=0.001, end=4, every=2, name="galaxy.toml")
    commands = {"srun": SRUN, "scontrol": f'#!/bin/sh\necho "$@" >> {hornbeam.folder}/requeued\n',
                "hornbeam": f'#!/bin/sh\nexec {hornbeam.program} "$@"\n'}
    (hornbeam.folder / "bin").mkdir()
    for name, text in commands.items():
        (hornbeam.folder / "bin" / name).write_text(text)
        (hornbeam.folder / "bin" / name).chmod(0o755)
    environment = dict(os.environ, PATH=f"{hornbeam.folder}/bin:{os.environ['PATH']}", SLURM_CPUS_PER_TASK="1",
                       SLURM_JOB_ID="7")
    environment.pop("GOMP_SPINCOUNT", None)  # the program then starts a second time, as it does for users
    statuses = []
    while not statuses or statuses[-1] == 4:
        done = subprocess.run(["bash", "job.sh"], cwd=hornbeam.folder, env=environment, capture_output=True, text=True,
                              timeout=60)
        statuses.append(done.returncode)
        assert done.returncode in (0, 4) and len(statuses) < 100, done.stdout + done.stderr
    assert (hornbeam.folder / "requeued").read_text() == "requeue 7\n" * (len(statuses) - 1)
    hornbeam.ok("run", "galaxy.toml", "--threads", 1, "--set", "output.directory=whole")
    assert bits(hornbeam.folder / "out" / "snapshot_0002.hdf5") == bits(hornbeam.folder / "whole" / "snapshot_0002.hdf5")
