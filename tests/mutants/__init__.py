"""`make mutants`: check that the tests notice small changes in the code.

mutmut makes the changes (`changes`). Each change is tried in a child process (`trying`) with the
tests that run the changed lines (`measuring`). The nearest tests run first. CONTRIBUTING.md
describes the details.
"""
