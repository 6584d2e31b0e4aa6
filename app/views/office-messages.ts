/** What the address of the messages asks for; anything else counts as not asked. */
export function readMessagesAsked(query: URLSearchParams) {
  const show = query.get('show')
  const kind = query.get('kind')
  return {
    show: show === 'open' || show === 'closed' ? show : undefined,
    kind: kind === 'contact' || kind === 'lead' ? kind : undefined,
    mine: query.get('mine') === 'yes' ? ('yes' as const) : undefined,
  } as const
}
