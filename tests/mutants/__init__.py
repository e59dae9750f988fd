"""`make mutants`: check that the tests notice small changes in the code.

mutmut makes the changes (`changes`). Each change is tried in a child process (`trying`) by the
tests that run the changed lines (`measuring`), the nearest tests first. CONTRIBUTING.md
describes the details.
"""
