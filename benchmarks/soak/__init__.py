"""Hours of mixed load on the whole product: does any process grow, does any queue, does anything fail?"""
