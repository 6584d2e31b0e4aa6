/** The people at the ID.me stand-in, with their reported status. */
export const idMePeople = [
  {
    id: '5f1c0a9be3d14c6f8a2b7d90c1e4f3a6',
    name: 'Mia Torres',
    words: 'Serves: verified',
    status: [{ group: 'military', subgroups: ['Service Member'], verified: true }],
  },
  {
    id: '8d2e7b41f6a04b3c9e5d1f7082c6a4b9',
    name: 'Ray Coleman',
    words: 'Veteran: verified. A second account that names him is refused',
    status: [{ group: 'military', subgroups: ['Veteran'], verified: true }],
  },
  {
    id: 'b3a90c5d72e84f1f8c6b0d4e91f7a253',
    name: 'Ann Brooks',
    words: 'Married to someone who serves: verified',
    status: [{ group: 'military', subgroups: ['Military Spouse'], verified: true }],
  },
  {
    id: 'e7c41d8a0b5f4926a3d8f2c6b91e0d74',
    name: 'Pat Quinn',
    words: 'Not verified',
    status: [{ group: 'military', subgroups: [], verified: false }],
  },
  {
    id: '2c9f6e1d84b74a50b7e3c8d05a1f9b62',
    name: 'Gus Hale',
    words: 'Verified as a teacher, which is another group',
    status: [{ group: 'teacher', subgroups: ['K-12 Teacher'], verified: true }],
  },
] as const

export type IdMePerson = (typeof idMePeople)[number]
