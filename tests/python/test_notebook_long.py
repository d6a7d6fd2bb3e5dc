# SPDX-License-Identifier: Apache-2.0
"""A notebook that is run: a simulation's bar is updated in place, with the newest picture."""

import pytest

NOTEBOOK = """
import hornbeam as hb
sim = hb.Simulation(hb.ic.plummer(100), dt=1 / 64)
sim.run(1, progress=True)
sim
"""


def test_a_notebook(tmp_path):
    why = "nbclient and ipykernel are not installed: the display of notebooks is not tested"
    nbclient, nbformat = (pytest.importorskip(name, reason=why) for name in ("nbclient", "nbformat"))
    pytest.importorskip("ipykernel", reason=why)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(NOTEBOOK)])
    nbclient.NotebookClient(notebook, timeout=100, kernel_name="python3").execute()
    outputs = notebook.cells[0].outputs
    shown = [output for output in outputs if output.output_type == "display_data"]
    assert len(shown) == 1, outputs  # the bar, updated in place
    assert "100 %" in shown[0].data["text/html"] and "data:image/png" in shown[0].data["text/html"]
    result = [output for output in outputs if output.output_type == "execute_result"][0]
    assert "image/png" in result.data and "64 steps" in result.data["text/html"]
    assert not [output for output in outputs if output.output_type == "stream"]
