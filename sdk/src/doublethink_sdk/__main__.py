"""`python -m doublethink_sdk`: the command line where no script of it is installed, as in its image."""

from doublethink_sdk.cli import main

if __name__ == "__main__":
    main(prog_name="doublethink")
