"""Which operators a delegate takes."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import torch
from torch.fx.passes.operator_support import OperatorSupportBase


class Undelegated(OperatorSupportBase):
    """Leaves the named operators to the CPU.

    Args:
        names: As ExecuTorch's edge dialect calls them, such as `aten.sigmoid.default`.
    """

    def __init__(self, names: Collection[str]) -> None:
        self._names = frozenset(names)

    def is_node_supported(
        self, submodules: Mapping[str, torch.nn.Module], node: torch.fx.Node
    ) -> bool:
        """Whether the delegate may take the node."""
        del submodules
        name = getattr(node.target, "name", None)  # "aten::sigmoid", with an overload if any
        called = str(name() if callable(name) else node.target).replace("::", ".")
        return called not in self._names and f"{called}.default" not in self._names
