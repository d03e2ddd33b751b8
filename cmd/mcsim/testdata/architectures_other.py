"""Models of images, sound and more than one kind, libraries other than PyTorch, and files that are no weights."""
