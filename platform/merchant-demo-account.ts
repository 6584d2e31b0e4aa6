/**
 * The store's account at the sandbox's Google Merchant Center, with its service account's key. Both are public, and
 * work only in a demo on this machine.
 */
export const demoMerchant = {
  accountId: '1000000001',
  dataSourceId: '2000000002',
  key: {
    clientEmail: 'store@sidewall-demo.iam.gserviceaccount.com',
    privateKeyId: 'sidewall-demo-merchant-key',
    privateKey: `-----BEGIN PRIVATE KEY-----
MIIEvwIBADANBgkqhkiG9w0BAQEFAASCBKkwggSlAgEAAoIBAQCnD8tLSzodvY7B
E93NW8NHXCPicf4tQMBl4CVERy+224s/89tXMjTwTnnO2lRZiftRzQeaNJWAhGmt
Ipf7bTFjJGYljt0/FPPLVJ4KGXpPsOP//p000QXJ7cpdzFdBTfUuk1YuCVteWjyF
1xxK5brxCqpbvZr+hha6xahwmrJomkdt5cO+dN95R0pgekWprBv/wYmo2F5A9ncq
nDYH5g4Huma19eLSGJl7g06Y1vy8j66BOZHJDkVp2VUBJzVJiMGy8kvSUO6NIXxw
m4TEeAH/WQTgo7jG6Wk6sSWufMeNTQ572WqczgHbP6ng7GBc3nXjYk2DoeOQ0tY3
teKxMFQ3AgMBAAECggEAAR/JFWufK34QDNqOXohkiwFiuG5d8H4EDWtxtMDp4Egf
6sFAU5jh5FAS38J2WNfl2goQKAh8jQ3XDDQ0Y5u7flhLW6tXb8o7Tb33Bkhfm1Os
ZReYhTd224H/H5x1ZdoZcUPKi6rCc6MVzyzAYvyiwmZ4+P8QoO/UDVOxK3jPBIcq
cIpZVM1gHEYHDPR6irHwRPDNkaPTkPWtxfD3rbIjhJfkHFDRTblk/syxh0pTnI/C
OzMw1/QKCJh0lBt+rl5D5wHMe1iyRUFu02oPcgV6TgLs91amjMzWDPHQmKo2wXMA
CILUMFs4doG6+oHk96hr/NVPo0MqHBsKlZJgmkqh+QKBgQDoWXxUVIyQWfRsohXL
mYf6TX6JMCwMuMaKksZ86TDuHgK2jNYxGD3kYakAs/mTZWdHU/WYn5ozHlkBpdLi
0pt3wO+iRHyfyXyoYc+LF6HuRKjTi+S3CSygV+oNW9RU+l1y2ZFNyBxwSZZ0EyWS
g0yuwrCKwDUlvSAwzf7yU+Ax4wKBgQC4EQ0120Zmi8wAlXNICg6sgXU1nsGtX/2T
arTa+/vSSBn23IolguHWE6Xecpc6Yo2HtXAQ4PWHxIqsbUhBIQtRVXL+zZSs1Tsh
WlPkutAVL9C2sUSWFlRhrzEDJX0/Guoad2eiPPIb4tGQOT4ceiRE8qlcQz/TuqYO
IJgSOcQUnQKBgQDFO7EepObtYm7qCG0X96xF/aJ8MjgyVGe1GgMD5a9zcmY7MDJi
WoGvbHdZ8Wzagim5krvYYyMyYYCMtYbepIj0jwLca+aefRsklGLpX5ZF/GKTsRzl
gxQuyHIWBO2pdR3+cFG4BTae2tisj9RFGs/tSbczERYMgw7gXv0cF7cooQKBgQCE
KfIzVoQBQ6WyUZ0Z/+azZK0VWC224HLB899yUXZqccz63TXwYz7nKOpzhBIkIPmA
lP2nkO+bkbsEvd8grKpktxc/77suMlknxKTyWlTosZGKbFRT9CqYjWOC39tDgX7Q
jCYEbwBkl4NjrEZ1yhnay+ZhUgQ1chKjmDG4/HNXXQKBgQDXVcTSMGKqpwYYYn2n
X9WapfffaYrM4rNp/52uLDV8PLdUsP3qBdzT8VFwz/wbnFDU667d2qaq/K59krHX
+6xQ+BZf4VJ4mPoUnWAW5zQRU1bvzBm/k98UjdLJIl67HSXYsojrua7RSdNCio7r
jz93P/hIurfoqyTf/z1CigpdOg==
-----END PRIVATE KEY-----`,
  },
}

/** The path of its token address at the sandbox. */
export const demoTokenPath = '/google/token'
