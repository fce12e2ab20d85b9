"""Keeps only the claims that it can prove with an exact quote, and composes answers from them."""
