/** Roles of users. */

export const roleTexts = {
  owner: { name: "Owner", description: "Owners may do everything." },
  admin: { name: "Admin", description: "Admins manage keys and all people but owners, and change all data." },
  member: { name: "Member", description: "Members change and approve sites, portfolios and documents." },
  viewer: { name: "Viewer", description: "Viewers read everything and change nothing." }
} as const
