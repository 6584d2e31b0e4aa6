/** Icons that only the back office has, apart from the store's, which shoppers load. */
const drawings = {
  keyboard: 'M2.500 5.500h15v9h-15zM5.500 8.500h.1M8.500 8.500h.1M11.500 8.500h.1M14.500 8.500h.1M6.500 11.500h7',
  account: 'M7 7a3 3 0 1 0 6 0a3 3 0 0 0-6 0M4 17c.5-3.500 3-5 6-5s5.500 1.500 6 5',
  leave: 'M12 4H4v12h8M8.500 10h8.500M14 7l3 3-3 3',
  fold: 'M3 4h14v12H3zM8 4v12M14 8l-2 2 2 2',
  unfold: 'M3 4h14v12H3zM8 4v12M12 8l2 2-2 2',
  outside: 'M11 4h5v5M16 4l-7 7M14 11.500V16H4V6h4.500',
} as const

export function OfficeIcon({ name }: { name: keyof typeof drawings }) {
  return <Drawing path={drawings[name]} />
}

/** An icon given as path data in a box of 20 by 20. */
export function Drawing({ path }: { path: string }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}
