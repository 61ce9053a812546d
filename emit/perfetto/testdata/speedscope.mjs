// Imports trace files with speedscope's own importer, without a browser, and prints what it has made of each: a line of JSON.
//
// usage: node speedscope.mjs FOLDER FILE…     FOLDER is where npm has installed speedscope
//
// The package has no module for the importer, only the bundle for the browser, in which it is loaded when it is needed. So the bundle is run up to where
// it would draw its page, in surroundings that have just enough of a browser, and asked for the importer there.
import fs from 'node:fs'
import path from 'node:path'
import vm from 'node:vm'

const [folder, ...files] = process.argv.slice(2)
const release = path.join(folder, 'node_modules/speedscope/dist/release')
const bundle = fs.readdirSync(release).find((name) => /^speedscope-.*\.js$/.test(name))
const source = fs.readFileSync(path.join(release, bundle), 'utf8')

const exported = /(\w+)=\{\};\$?\w+\(\1,\{importFromFileSystemDirectoryEntry/.exec(source)[1]
const loaded = source.split('(),' + exported + ')')[0].split(/\W/).pop()
const drawing = 'console.log(`speedscope v'
if (!source.includes(drawing)) throw new Error('the bundle is not of the form that is known')
const script = source.replace(drawing, `loadImporter=()=>(${loaded}(),${exported});return;` + drawing)

const warnings = []
const console_ = { log() {}, error: (...words) => warnings.push(words.join(' ')), warn: (...words) => warnings.push(words.join(' ')), assert(ok, ...words) {
  if (!ok) warnings.push('assertion: ' + words.join(' '))
} }
const nothing = new Proxy(function () {}, { get: (_, name) => (name === Symbol.toPrimitive ? () => '' : nothing), apply: () => nothing, construct: () => nothing })
const page = vm.createContext({ console: console_, document: nothing, navigator: { userAgent: '' }, TextDecoder, TextEncoder, Uint8Array, ArrayBuffer, URL, atob,
  location: { protocol: 'file:', hash: '' }, addEventListener() {}, matchMedia: () => nothing, localStorage: nothing, loadImporter: null, setTimeout, performance })
page.window = page.self = page.globalThis = page
vm.runInContext(script, page)
const importer = page.loadImporter()

for (const file of files) {
  warnings.length = 0
  const group = await importer.importProfileGroupFromText(path.basename(file), fs.readFileSync(file, 'utf8'))
  const profiles = (group ? group.profiles : []).map((profile) => {
    let slices = 0
    profile.forEachCall(() => slices++, () => {})
    return { name: profile.getName(), slices, weight: profile.getTotalWeight(), unit: profile.getWeightUnit() }
  })
  console.log(JSON.stringify({ file, profiles, warnings: warnings.slice(0, 5) }))
}
