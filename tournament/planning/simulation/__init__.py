"""What is likely to come: rounds, whole days and who goes through, by matches made of real hands.

Nothing is stored and nothing is asked: values and a generator of chance in, figures out. Hands are
played by the plain player (rules/bots/rollout.py), once for each rule set and number of seats; a
match is drawn from them hand by hand. docs/running-an-event.md
"""
