/** Batches consecutive groups, in order, up to `most` addresses each; a larger group gets a batch of its own. */
export function inBatches<Group extends { readonly addresses: number }>(
  groups: readonly Group[],
  most: number,
): Group[][] {
  const batches: Group[][] = []
  let room = 0
  for (const group of groups) {
    if (room < group.addresses || batches.length === 0) {
      batches.push([])
      room = most
    }
    batches.at(-1)?.push(group)
    room -= group.addresses
  }
  return batches
}
