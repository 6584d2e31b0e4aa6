export const handle = { script: false }

/** Every address that is not in the list. Thrown, so that the root's error page shows it with status 404. */
export function loader(): never {
  throw new Response(null, { status: 404 })
}

export default function NotFound() {
  return null
}
