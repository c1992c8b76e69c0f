"""Whatever breaks in the middle of whatever work: what was lost, what was doubled, what was paid twice?"""
