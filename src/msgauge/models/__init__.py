"""Why it is fast or slow: LogGP, protocol segments, predictions, performance guidelines, anomalies, exports.

All of it is pure: arrays in, frozen results out; randomness is an argument.
"""
