/**
 * Configuration of a Ceph cluster: one monitor, one store in memory and one gateway,
 * on loopback and without internal authentication. Background work and replication
 * are off.
 */

const sections = (cluster: {
  readonly clusterId: string
  readonly folder: string
  readonly monitorPort: number
  readonly port: number
}): Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>> => {
  const { clusterId, folder, monitorPort, port } = cluster
  return {
    global: {
      fsid: clusterId,
      "mon host": `v1:127.0.0.1:${monitorPort}`,
      "public network": "127.0.0.0/8",
      "cluster network": "127.0.0.0/8",
      "ms bind ipv4": true,
      "ms bind ipv6": false,
      "ms bind msgr2": false,
      "auth cluster required": "none",
      "auth service required": "none",
      "auth client required": "none",
      "osd pool default size": 1,
      "osd pool default min size": 1,
      "osd pool default pg num": 1,
      "osd pool default pg autoscale mode": "off",
      "osd crush chooseleaf type": 0,
      "mon allow pool size one": true,
      "mon warn on pool no redundancy": false,
      "mon pg warn min per osd": 0,
      "mon max pg per osd": 1_000,
      // Decisions of the monitor are visible at once; it also runs on an almost full disk.
      "paxos propose interval": 0.05,
      "paxos min wait": 0.01,
      "mon data avail crit": 1,
      "mon data avail warn": 2,
      "run dir": folder,
      "admin socket": "",
      "log file": `${folder}/log/$name.log`
    },
    mon: { "mon data": `${folder}/mon`, "mon initial members": "a", "auth allow insecure global id reclaim": true },
    "mon.a": { host: "localhost", "mon addr": `127.0.0.1:${monitorPort}` },
    osd: {
      "osd data": `${folder}/osd`,
      "osd objectstore": "memstore",
      // The monitor sometimes refuses these requests while the store starts.
      "osd crush update on start": false,
      "osd class update on start": false,
      "memstore device bytes": 1_073_741_824,
      "osd class load list": "*",
      "osd class default list": "*"
    },
    "client.rgw": {
      "rgw data": `${folder}/rgw`,
      "rgw frontends": `beast endpoint=127.0.0.1:${port}`,
      "rgw thread pool size": 32,
      "rgw gc max objs": 1,
      "rgw lc max objs": 1,
      "rgw objexp hints num shards": 1,
      "rgw usage max shards": 1,
      "rgw data log num shards": 1,
      "rgw md log max shards": 1,
      "rgw override bucket index max shards": 1,
      "rgw dynamic resharding": false,
      "rgw enable gc threads": false,
      "rgw enable quota threads": false,
      "rgw run sync thread": false
    }
  }
}

export const configuration = (cluster: Parameters<typeof sections>[0]): string =>
  Object.entries(sections(cluster))
    .map(([name, settings]) =>
      [`[${name}]`, ...Object.entries(settings).map(([key, value]) => `${key} = ${value}`)].join("\n")
    )
    .join("\n\n")
    .concat("\n")
