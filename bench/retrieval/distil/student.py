"""The student: a vector for each word piece, so that the mean over a text comes near what the teacher makes of it.
python3 student.py FOLDER DIMENSIONS OUT.bin   FOLDER has what pieces.ts and teacher.py wrote: ids, ends, hashes, pieces.json,
teacher.npy (of the texts) and pieces.npy (of each piece alone). Deterministic on one thread."""
import json, os, struct, sys, time
import numpy as np
import torch

WIDE, EPOCHS, BATCH, RATE, TEMPERATURE = 256, int(os.environ.get('EPOCHS', 8)), 768, 2e-3, 0.05
MAGIC, VERSION = 0x7451f0ec, 1
torch.manual_seed(1); torch.set_num_threads(1)
folder, dimensions, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
read = lambda name, kind: np.fromfile(f'{folder}/{name}', kind)
ids, ends, hashes = torch.from_numpy(read('ids.i32', np.int32)).long(), read('ends.i32', np.int32).astype(np.int64), read('hashes.u32', np.uint32)
starts = np.concatenate([[0], ends[:-1]]); ranks = np.array(json.load(open(f'{folder}/pieces.json'))['ranks'])
teacher = np.load(f'{folder}/teacher.npy').astype(np.float32); alone = np.load(f'{folder}/pieces.npy').astype(np.float32)
normal = torch.nn.functional.normalize

# The teacher's main axes: what it tells texts apart by.
mean = teacher.mean(0)
_, _, axes = np.linalg.svd((teacher - mean)[:20000], full_matrices=False)
target = normal(torch.from_numpy((teacher - mean) @ axes[:WIDE].T.copy()), dim=1)
share = 1 / (np.maximum(ranks - 1995, 1) + 1); share /= share.sum(); rarity = 1e-4 / (1e-4 + share)
table = torch.from_numpy(((alone - alone.mean(0)) @ axes[:WIDE].T * rarity[:, None]).astype(np.float32)).requires_grad_()
usable = np.flatnonzero(ends > starts); held, taught = usable[:2000], usable[2000:]


def bag(rows):
    where = torch.from_numpy(np.concatenate([np.arange(starts[r], ends[r]) for r in rows])); offsets = torch.from_numpy(np.concatenate([[0], np.cumsum(ends[rows] - starts[rows])[:-1]]))
    return normal(torch.nn.functional.embedding_bag(ids[where], table, offsets, mode='mean'), dim=1)


optimizer = torch.optim.Adam([table], lr=RATE); began = time.time(); rng = np.random.default_rng(1)
for epoch in range(EPOCHS):
    for group in optimizer.param_groups: group['lr'] = RATE * (1 - epoch / EPOCHS) + RATE / 50
    order = rng.permutation(taught)
    for i in range(0, len(order) - BATCH + 1, BATCH):
        rows = order[i:i + BATCH]; made, wanted = bag(rows), target[torch.from_numpy(rows)]
        near = torch.log_softmax(made @ made.T / TEMPERATURE, 1); should = torch.softmax(wanted @ wanted.T / TEMPERATURE, 1)
        loss = (1 - (made * wanted).sum(1)).mean() + 0.5 * (should * (should.clamp_min(1e-9).log() - near)).sum(1).mean()
        optimizer.zero_grad(); loss.backward(); optimizer.step()
    with torch.inference_mode(): print(f'epoch {epoch} cosine {(bag(held) * target[torch.from_numpy(held)]).sum(1).mean():.4f} loss {loss:.4f} {time.time() - began:.0f}s', flush=True)

# Fewer numbers: the main axes of what the student makes of texts.
with torch.inference_mode(): made = bag(taught[:20000]).numpy()
_, _, main = np.linalg.svd(made, full_matrices=False)
final = table.detach().numpy() @ main[:dimensions].T; scale = np.percentile(np.abs(final), 99.95) / 127
vectors = np.clip(np.round(final / scale), -127, 127).astype(np.int8)
with open(out, 'wb') as file:
    file.write(struct.pack('<4If', MAGIC, VERSION, len(hashes), dimensions, scale)); file.write(hashes.tobytes()); file.write(vectors.tobytes())
print(out, vectors.shape, f'{len(set(hashes))} hashes')
