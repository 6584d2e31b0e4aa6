/** Codes that open an order for a guest who tracks it by number and ZIP. Safe in the browser. */

/** How long a code lives and how many attempts it takes; the table holds both as constraints. */
export const orderCodeLife = { minutes: 10, attempts: 5 } as const

/** How long a right code opens the order in the browser that asked for it. */
export const codeAccessMinutes = 60

/** A code asked for again so soon is the same press of the button: no second one is made. */
export const sameRequestSeconds = 30

/** Parses a typed code of six digits, which may be spaced or hyphenated; undefined if it is something else. */
export function parseOrderCode(text: string | null | undefined): string | undefined {
  const digits = (text ?? '').replaceAll(/[\s-]/g, '')
  return /^\d{6}$/.test(digits) ? digits : undefined
}

/** "d•••@example.com": enough for its owner to know which mailbox to open. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const [first = ''] = at > 0 ? email.slice(0, at) : ''
  return `${first}•••${at < 0 ? '' : email.slice(at)}`
}
