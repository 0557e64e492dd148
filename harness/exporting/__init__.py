"""Makes VGF programs from PyTorch modules. Only `harness.export` is meant for others."""
