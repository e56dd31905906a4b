"""What was measured of each stack by itself: locations with their intervals, observations, costs, failures."""
