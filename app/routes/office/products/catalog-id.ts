/** Reads the number of a tire, line or brand in an address; anything else is not found. */
export function catalogId(text: string): number {
  const id = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (id === 0) throw new Response(null, { status: 404 })
  return id
}
