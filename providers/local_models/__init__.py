"""Models of other people that are installed on this server: ONNX graphs that run in this process."""
