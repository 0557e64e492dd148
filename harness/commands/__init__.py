"""One module per command: `add_arguments(parser)` and `main(args) -> exit code`.

Modules import their work inside `main()`, so that help answers at once.
"""
