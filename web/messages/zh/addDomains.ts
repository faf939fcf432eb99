import { pluralOf } from '../formats.ts'
import type { addDomains as en } from '../en/addDomains.ts'

const plural = pluralOf('zh-CN')

export const addDomains: typeof en = {
  title: '添加域名',
  about: '从服务商导入区域及其记录，或按名称添加域名。',
  noConfigs: '请先连接您的区域所在的 DNS 服务商。',
  connect: '连接 DNS 服务商',
  config: '服务商连接',
  another: '连接其他服务商',
  zones: {
    title: '服务商处的区域',
    filter: '名称的一部分',
    none: '服务商没有列出任何区域，请按名称添加域名。',
    noneFound: '没有符合筛选条件的区域。',
    name: '区域',
    state: '服务商处状态',
    servers: '域名服务器',
    here: 'Zonekeeper 中',
    open: '打开',
    notHere: '尚未导入',
    status: { active: '正常', pending: '尚未委派', paused: '已暂停' },
    kind: { primary: '主区域', secondary: '从区域' },
    chooseNew: (count) => plural(count, { other: '选择全部 # 个尚未导入的区域' }),
    import: (count) => plural(count, { other: '导入 # 个区域' }),
    importing: (done, total) => `正在导入：${done} / ${total}`,
    imported: (count) => plural(count, { other: '已导入 # 个区域' }),
    failed: (count) => plural(count, { other: '# 个区域未能导入' }),
    results: '导入结果',
    records: (count) => plural(count, { other: '# 条记录' }),
    unmanaged: (count) => plural(count, { other: '另有 # 条未纳管' }),
    reload: '刷新列表',
    which: '区域',
    several: '服务商有多个同名区域，例如公网区域和内网区域。',
  },
  byName: {
    title: '按名称添加',
    name: '域名',
    nameHelp: '例如 example.com，可使用 Unicode 或 punycode。',
    createZone: '如果区域不存在，则在服务商处创建',
    cannotCreate: 'Zonekeeper 无法在此服务商创建区域，区域必须已存在。',
    looking: '正在查询到期时间……',
    found: (day, registrar) =>
      registrar === null ? `注册有效期至 ${day}。` : `注册有效期至 ${day}，注册商为 ${registrar}。`,
    notFound: '未查到到期时间，可手动设置。',
    tooOften: '查询过于频繁，可手动设置到期时间。',
    expiresAt: '注册有效期至',
    submit: '添加域名',
    added: (name) => `已添加 ${name}`,
  },
}
