"""Third-party models installed on this server: ONNX graphs that run in this process."""
