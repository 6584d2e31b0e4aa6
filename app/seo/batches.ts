/** Groups consecutive groups into batches of up to `most` URLs, in order. A larger group gets its own batch. */
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
