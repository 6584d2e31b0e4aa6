/** Directions to an address in the usual map services. Plain links: nothing of theirs is loaded. */
export function directions(address: string): { label: string; href: string }[] {
  const to = encodeURIComponent(address)
  return [
    { label: 'Google Maps', href: `https://www.google.com/maps/dir/?api=1&destination=${to}` },
    { label: 'Apple Maps', href: `https://maps.apple.com/?daddr=${to}` },
    { label: 'OpenStreetMap', href: `https://www.openstreetmap.org/search?query=${to}` },
  ]
}
