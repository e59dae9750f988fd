"""`make mutants`: do the tests notice when one thing in the code is another?

mutmut makes the changes (`changes`); every change is tried in a child process (`trying`) by the
tests that run the changed lines (`measuring`), the nearest first. CONTRIBUTING.md tells the rest.
"""
