/** Icons that only the back office has, apart from the store's, which shoppers load. */
const drawings = {
  keyboard: 'M2.500 5.500h15v9h-15zM5.500 8.500h.1M8.500 8.500h.1M11.500 8.500h.1M14.500 8.500h.1M6.500 11.500h7',
  account: 'M7 7a3 3 0 1 0 6 0a3 3 0 0 0-6 0M4 17c.5-3.500 3-5 6-5s5.500 1.500 6 5',
  leave: 'M12 4H4v12h8M8.500 10h8.500M14 7l3 3-3 3',
  fold: 'M3 4h14v12H3zM8 4v12M14 8l-2 2 2 2',
  unfold: 'M3 4h14v12H3zM8 4v12M12 8l2 2-2 2',
  outside: 'M11 4h5v5M16 4l-7 7M14 11.500V16H4V6h4.500',
  download: 'M10 3.500v9M6.500 9.500 10 13l3.500-3.500M4 16.500h12',
  calendar: 'M3 5h14v12H3zM3 8.500h14M6.500 3v3.500M13.500 3v3.500',
  shop: 'M3 8.500V17h14V8.500M2 8l2-4.500h12L18 8c0 1.300-.9 2-2 2s-2-.7-2-2c0 1.300-.9 2-2 2s-2-.7-2-2c0 1.300-.9 2-2 2s-2-.7-2-2c0 1.300-.9 2-2 2s-2-.7-2-2M8 17v-4.500h4V17',
  back: 'M7.500 4 3.500 8l4 4M3.500 8H12a4.500 4.500 0 0 1 0 9H8',
  parcel: 'M3 6.500 10 3l7 3.500v7L10 17l-7-3.500zM3 6.500l7 3.500 7-3.500M10 10v7',
  email: 'M2.500 4.500h15v11h-15zM2.500 5.500l7.500 5.500 7.500-5.500',
  text: 'M3 4h14v9.500H9L5.500 17v-3.500H3z',
  note: 'M5 3h7l3.500 3.500V17H5zM12 3v3.500h3.500M7.500 10h5.500M7.500 13h5.500',
  print: 'M6 7V3h8v4M6 14H3V7.500h14V14h-3M6 11.500h8V17H6z',
  car: 'M3 14v-3.500l2-4.700c.2-.5.6-.8 1.200-.8h7.600c.6 0 1 .3 1.200.8l2 4.700V14M3 10.500h14M3 14h14v2h-2v-2M3 14v2h2v-2',
  check: 'm4.500 10.500 3.700 3.700 7.500-8',
  cross: 'm5 5 10 10M15 5 5 15',
  question: 'M4 4h12v9H9l-4 3.500V13H4zM8.300 7.300a1.700 1.700 0 1 1 2.400 1.600c-.5.300-.7.6-.7 1.100M10 11.500v.1',
  pin: 'M10 17.500s-5.500-4.600-5.500-9a5.500 5.500 0 0 1 11 0c0 4.400-5.500 9-5.500 9ZM8.200 8.500a1.800 1.800 0 1 0 3.600 0 1.800 1.800 0 0 0-3.600 0',
  grip: 'M7.500 5h.1M12.500 5h.1M7.500 10h.1M12.500 10h.1M7.500 15h.1M12.500 15h.1',
  lock: 'M6 9V6.500a4 4 0 0 1 8 0V9M4.500 9h11v8h-11zM10 12v2',
} as const

export type OfficeIconName = keyof typeof drawings

export function OfficeIcon({ name, size }: { name: OfficeIconName; size?: 's' }) {
  return <Drawing path={drawings[name]} size={size} />
}

/** An icon given as path data in a box of 20 by 20. */
export function Drawing({ path, size }: { path: string; size?: 's' | undefined }) {
  return (
    <svg className={size ? `icon ${size}` : 'icon'} viewBox="0 0 20 20" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}
