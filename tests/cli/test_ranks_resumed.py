# SPDX-License-Identifier: Apache-2.0
"""A run of several devices goes on after a failure, and with another number of them: its files are those of one."""

from test_ranks import assert_same, ranks
from test_ranks_gas import EVRARD, draw_with_debris
from test_ranks_physics import run


def test_a_run_of_gas_goes_on_after_failures_and_with_another_number_of_ranks(hornbeam):
    """A rank that fails, in whatever it does then, ends the run with one line; the last checkpoint is resumed."""
    draw_with_debris(hornbeam)
    values = {"softening": "fixed", "steps": "shared"}
    one, _ = run(hornbeam, 1, EVRARD, end=0.12, folder="one", **values)
    run(hornbeam, 2, EVRARD, end=0.04, folder="some", **values)
    (hornbeam.folder / "some.toml").write_text(EVRARD.format(end=0.08, folder="some", **values), encoding="utf-8")
    for request in (3, 150, 400):
        error = hornbeam.run("run", "some.toml", "--resume", **ranks(f"2,{request}"))
        assert error.returncode == 1 and error.stderr.count("error: ") == 1, (request, error.stderr)
        assert "the last of 2 ranks fails" in error.stderr and error.stderr.count("\n") == 1
    for count, end in ((7, 0.08), (1, 0.12)):
        some, _ = run(hornbeam, count, EVRARD, "--resume", end=end, folder="some", **values)
    assert_same(one, some)
