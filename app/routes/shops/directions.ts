/** Returns links to directions in common map services. These are plain links. The page loads no third-party content. */
export function directions(address: string): { label: string; href: string }[] {
  const to = encodeURIComponent(address)
  return [
    { label: 'Google Maps', href: `https://www.google.com/maps/dir/?api=1&destination=${to}` },
    { label: 'Apple Maps', href: `https://maps.apple.com/?daddr=${to}` },
    { label: 'OpenStreetMap', href: `https://www.openstreetmap.org/search?query=${to}` },
  ]
}
