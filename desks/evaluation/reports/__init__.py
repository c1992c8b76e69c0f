"""What runs say together: means with intervals, comparisons, thresholds, files to keep."""
