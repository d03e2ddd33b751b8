import torch

torch.set_printoptions(precision=3)
q = torch.tensor([[1.5, 0.5, 1.5, 0.5], [1.5, 1.0, 0.5, 0.5], [0.5, -1.5, -0.5, 0.5]])
k = torch.tensor([[0.5, 0.2, 1.0, 0.3], [0.68, 0.96, -0.1, 0.5], [0.2, -1.24, -0.22, 0.5]])
v = torch.tensor([[0.9, 0.1, -0.3, 0.5], [0.2, 0.8, 0.1, -0.4], [0.4, -0.2, 0.7, 0.3]])
scores = q @ k.T
weights = torch.softmax(scores / q.shape[-1] ** 0.5, dim=-1)
print(weights)
print(weights @ v)
