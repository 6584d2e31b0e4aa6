/** Messages about sets that shops store. */
export const storageMessages: {
  notStored: string
  done: Partial<Record<string, string>>
} = {
  notStored: 'This set is no longer in storage. Reload the page.',
  done: { saved: 'Saved.', returned: 'Marked as picked up.' },
}
