"""What files have inside them: zip archives, XML and pictures, read within limits. Runs in the sandbox."""
