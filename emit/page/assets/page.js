/* Made of emit/page/web by emit/page/build.sh. Do not edit. */
"use strict";(()=>{var synchronizers={};function nameSynchronizers(about){synchronizers=about.synchronizers}var units=[[1e9,"s"],[1e6,"ms"],[1e3,"µs"]];function duration(nanoseconds){
const length=Math.abs(nanoseconds);if(length>=36e11)return`${Math.floor(length/36e11)} h ${Math.round(length%36e11/6e10)} min`;if(length>=6e11)return`${Math.floor(
length/6e10)} min ${Math.round(length%6e10/1e9)} s`;for(const[unit,name]of units){if(length>=unit*.9995)return`${significant(length/unit)} ${name}`}return`${Math.
round(length)} ns`}function significant(value){if(value>=99.95)return value.toFixed(0);return value.toFixed(value>=9.995?1:2)}function moment(nanoseconds,precision=1e3){
const digits=precision>=1e9?0:Math.min(9,Math.ceil(9-Math.log10(Math.max(precision,1))));return`${(nanoseconds/1e9).toFixed(digits)} s`}function share(part,whole){
if(whole<=0||part<=0)return"0 %";const percent=100*part/whole;if(percent<1)return"<1 %";return percent>99&&part<whole?">99 %":`${Math.round(percent)} %`}function count(number){
return String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g,",")}function counted(number,one,many=one+"s"){return`${count(number)} ${number===1?one:many}`}var sizeUnits=[
[2**40,"TiB"],[2**30,"GiB"],[2**20,"MiB"],[1024,"KiB"]];function size(bytes2){for(const[unit,name]of sizeUnits)if(bytes2>=unit*.9995)return`${significant(bytes2/
unit)} ${name}`;return`${Math.round(bytes2)} B`}var factors={ns:1,us:1e3,"µs":1e3,"μs":1e3,ms:1e6,s:1e9,"":1e9,m:6e10,min:6e10,h:36e11};var thousands=/^[1-9]\d{0,2}(,\d{3})+(\.|$)/;
function nanosecondsOf(text){const part=/\s*([1-9]\d{0,2}(?:,\d{3})+(?![\d,])(?:\.\d*)?|\d+(?:[.,]\d*)?|[.,]\d+)\s*([a-zµμ]*)/giy;let total=0,end=0;const trimmed=text.
trim();for(let found=part.exec(trimmed);found;found=part.exec(trimmed)){const factor=factors[found[2].toLowerCase()];if(factor===void 0)return null;total+=Number(
thousands.test(found[1])?found[1].replaceAll(",",""):found[1].replace(",","."))*factor;end=part.lastIndex}return trimmed!==""&&end===trimmed.length?Math.round(total):
null}function typed(nanoseconds){const rounded=Math.round(nanoseconds);for(const[unit,name]of units){if(rounded>=unit)return`${Number((rounded/unit).toFixed(unit===
1e9?9:unit===1e6?6:3))} ${name}`}return`${rounded} ns`}var primitives={Z:"boolean",B:"byte",C:"char",S:"short",I:"int",J:"long",F:"float",D:"double"};function className(name){
if(Object.hasOwn(synchronizers,name))return synchronizers[name].class;const mirror=/^(?:java\/lang\/Class)?<(.+)>$/.exec(name);if(mirror)return`class ${className(
mirror[1])}`;const array=/^(\[+)(?:([ZBCSIJFD])|L([^;]+);)$/.exec(name);if(array)return(primitives[array[2]]??className(array[3]))+"[]".repeat(array[1].length);
return/^[\p{L}\p{N}_$/.;[\]-]+$/u.test(name)?name.replaceAll("/","."):name}function declaredClass(name){return/^((?:java\/lang\/Class)?)<.+>$/.exec(name)?.[1]??
name}function classOf(row){return row.represents===void 0?row.class??"":`${row.class??""}<${row.represents}>`}function call(frame){const[type,method,file,line]=frame;
const where=file===""?line>0?`(line ${line})`:"":line>0?`(${file}:${line})`:`(${file})`;return`${type===""?"":className(type)+"."}${method}${where}`}function caller(frame){
const[,,,,inner,outer]=frame;return call(frame)+(inner?` (in ${clipped(inner)})`:"")+(outer??"")}function callerAt(place){const inner=typeof place.in==="object"?
call([place.in.class,place.in.method,"",-1]):place.in;return caller([place.class,place.method,place.file??"",place.line??-1,inner,place.outer])}function ownPlace([
type,method,file,line,,outer]){return[type,method,file,line,"",outer]}function object([id,name,,lock,lockClass]){if(lock)return`condition of ${lockClass||"lock"}\
 ${lock} (${id})`;if(Object.hasOwn(synchronizers,name))return`${synchronizers[name].kind} ${id}`;return name===""?`object ${id}`:`${className(name)} ${id}`}function threadName(threads,place){
if(place===void 0||place<0)return"a thread that is not known";return threads.name[place]||`thread ${threads.id[place]}`}function clipped(text,longest=120){return text.
length<=longest?text:text.slice(0,longest-1)+"…"}function placesByKey(threads){return new Map(threads.key.map((key,place)=>[key,place]))}function messageOf(problem){
return problem instanceof Error?problem.message:String(problem)}function readAddress(){const fields=new URLSearchParams(location.hash.slice(1));return{tab:fields.get("tab")??"",trace:Number(/^\d{1,4}$/.exec(fields.get("trace")??
"")?.[0]??0),window:readWindow(fields.get("window"))}}function writeAddress(place){const window2=place.window?`&window=${Math.round(place.window[0])}-${Math.round(
place.window[1])}`:"";const trace=place.trace?`&trace=${place.trace}`:"";try{history.replaceState(null,"",`#tab=${encodeURIComponent(place.tab)}${trace}${window2}`)}catch{}}
function readWindow(text){const match=/^(\d{1,16})-(\d{1,16})$/.exec(text??"");if(!match)return null;const from=Number(match[1]);const to=Number(match[2]);return from<
to?[from,to]:null}function element(tag,attributes={},...children){const made=document.createElement(tag);assign(made,attributes);append(made,children);return made}function drawing(tag,attributes={},...children){
const made=document.createElementNS("http://www.w3.org/2000/svg",tag);assign(made,attributes);append(made,children);return made}function named(text,className2="\
name"){return element("bdi",{class:className2,dir:"auto",title:tooltip(text)},text)}function tooltip(text){return text.length<=600?text:text.slice(0,600)+"…"}
function button(label,act,attributes={}){const made=element("button",{type:"button",...attributes},label);made.addEventListener("click",act);return made}function toggleButton(label,act){
const made=button(label,()=>{const on=made.getAttribute("aria-pressed")!=="true";made.setAttribute("aria-pressed",String(on));act(on)},{"aria-pressed":"false",class:"\
timeline-toggle"});return made}function checkbox(label,checked,act,attributes={}){const input=element("input",{type:"checkbox",...attributes});input.checked=checked;
input.addEventListener("change",()=>act(input.checked));return{root:element("label",{class:"check"},input,element("span",{},label)),input}}var Choice=class _Choice{root;inputs=new Map;static made=0;constructor(label,options,chosen,act){
const group=`choice-${++_Choice.made}`;this.root=element("fieldset",{class:"choice"},element("legend",{class:"unseen"},label));for(const[value,text]of options){
const input=element("input",{type:"radio",name:group,value,class:"unseen"});input.checked=value===chosen;input.addEventListener("change",()=>act(value));this.inputs.
set(value,input);this.root.append(element("label",{},input,element("span",{},text)))}}set(value){const input=this.inputs.get(value);if(input)input.checked=true}};
function replace(parent,...children){parent.replaceChildren();append(parent,children)}function append(parent,children){for(const child of children){if(child!==null&&
child!==void 0&&child!==false)parent.append(typeof child==="number"?String(child):child)}}function assign(made,attributes){for(const[name,value]of Object.entries(
attributes)){if(value!==void 0&&value!==false)made.setAttribute(name,value===true?"":String(value))}}var RUNNING=0;var WAITING=1;var BLOCKED=2;var JOINING=3;var SLEEPING=4;var DEADLOCKED=5;var TIMED_WAITING=6;var PARKED=7;var IN_IO=8;var DEAD=9;var TIMED_STATES=9;var TIMEOUT=6;var OPEN=1;var TIMED_OUT=2;var INFERRED=4;var IO_SHIFT=3;var IO_MASK=7;var PARK=64;var INIT=128;function windowOf(document2){return{from:document2.from,to:document2.to,resolution:document2.resolution,places:{objects:document2.objects??[],frames:document2.frames??
[],stacks:document2.stacks??[]},lanes:document2.lanes.map(laneOf),arrows:arrowsOf(document2.arrows),arrowsOmitted:document2.arrowsOmitted??0}}function emptyLane(thread){
return laneOf({thread})}function laneOf(lane){return{thread:lane.thread,spans:spansOf(lane.spans??{}),mixes:mixesOf(lane.mixes??{}),instants:instantsOf(lane.instants??
{}),path:pathOf(lane.path??{})}}function spansOf(columns){const count2=rowsOf(columns);return{count:count2,...timesOf(columns,count2),state:bytes(columns.state,
count2),flags:bytes(columns.flags,count2),event:numbers(columns.event),object:numbers(columns.object),other:numbers(columns.other),caller:numbers(columns.caller),
otherCaller:numbers(columns.otherCaller),stack:numbers(columns.stack),timeout:columns.timeout?Float64Array.from(columns.timeout):null}}function mixesOf(columns){
const count2=rowsOf({...columns,times:void 0});const times2=columns.times?Float64Array.from(columns.times):new Float64Array(TIMED_STATES*count2);return{count:count2,
...timesOf(columns,count2),intervals:Uint32Array.from(columns.count??new Uint32Array(count2)),times:times2}}function instantsOf(columns){const count2=rowsOf(columns);
return{count:count2,time:timesOf(columns,count2).start,type:bytes(columns.type,count2),number:numbers(columns.count),event:numbers(columns.event),object:numbers(
columns.object),other:numbers(columns.other),stack:numbers(columns.stack)}}function pathOf(columns){const count2=rowsOf(columns);const{start,end}=timesOf(columns,
count2);return{count:count2,start,end,time:Float64Array.from(columns.time??new Float64Array(count2)),latency:bytes(columns.latency,count2)}}function arrowsOf(columns={}){
const count2=rowsOf(columns),order=descending(columns.waited??new Array(count2).fill(0));const whole=column=>{const table2=new Uint32Array(count2);if(column)for(let row=0;row<
count2;row++)table2[row]=column[order[row]];return table2};const long=column=>{const table2=new Float64Array(count2);if(column)for(let row=0;row<count2;row++)table2[row]=
column[order[row]];return table2};return{count:count2,type:Uint8Array.from(whole(columns.type)),event:whole(columns.event),thread:whole(columns.thread),time:long(
columns.time),toEvent:whole(columns.toEvent),toThread:whole(columns.toThread),toTime:long(columns.toTime),waited:long(columns.waited)}}function descending(numbers2){
const bits2=new Uint32Array(Float32Array.from(numbers2).buffer);const keys=new Float64Array(numbers2.length);for(let row=0;row<keys.length;row++)keys[row]=(2147483647-
bits2[row])*KEY_ROWS+row;keys.sort();const order=new Uint32Array(keys.length);for(let place=0;place<keys.length;place++)order[place]=keys[place]%KEY_ROWS;return order}
var KEY_ROWS=2**21;function arrowAt(arrows,row){return{type:arrows.type[row],event:arrows.event[row],thread:arrows.thread[row],time:arrows.time[row],toEvent:arrows.
toEvent[row],toThread:arrows.toThread[row],toTime:arrows.toTime[row],waited:arrows.waited[row]}}function rowsOf(columns){for(const name in columns){const column=columns[name];
if(column)return column.length}return 0}function timesOf(columns,count2){const start=new Float64Array(count2),end=columns.length?new Float64Array(count2):start;
let time=0;for(let row=0;row<count2;row++){time+=columns.gap?.[row]??0;start[row]=time;time+=columns.length?.[row]??0;end[row]=time}return{start,end}}function bytes(column,count2){
return column?Uint8Array.from(column):new Uint8Array(count2)}function numbers(column){return column?Uint32Array.from(column):null}function valueOf(column,row){return column===
null?0:column[row]}function firstEndingAfter(end,count2,time){let low=0,high=count2;while(low<high){const middle=low+high>>1;if(end[middle]>time)high=middle;else
low=middle+1}return low}function firstAt(times2,count2,time){let low=0,high=count2;while(low<high){const middle=low+high>>1;if(times2[middle]>=time)high=middle;else
low=middle+1}return low}function bytesOf(lane){return 400+46*lane.spans.count+68*lane.mixes.count+29*lane.instants.count+25*lane.path.count}var KINDS=["blocked","waited","timed","parked","io","joined","slept"];function statisticsOf(lanes,places,threads,from=0,to=Infinity){const counter=new Counter(places,
threads,from,to);for(const lane of lanes){counter.enter(lane);for(let row=0;row<lane.spans.count;row++){const begin=lane.spans.start[row];if(begin<to&&(begin>=from||
lane.spans.end[row]>from))counter.add(lane,row)}}return counter.statistics()}var Lengths=class{all=[];open=0;add(length,open2){this.all.push(length);if(open2)this.
open++}distribution(){const sorted=Float64Array.from(this.all).sort(),count2=sorted.length;if(count2===0)return{count:0,total:0,min:0,max:0,mean:0,p50:0,p90:0,p99:0,
open:0,bins:[]};const total=sorted.reduce((sum,length)=>sum+length,0);const percentile=percent=>sorted[Math.max(0,Math.ceil(percent/100*count2)-1)];return{count:count2,
total,min:sorted[0],max:sorted[count2-1],mean:Math.round(total/count2),p50:percentile(50),p90:percentile(90),p99:percentile(99),open:this.open,bins:binsOf(sorted)}}};
function binsOf(sorted){const binOf=length=>Math.floor(2*Math.log2(Math.max(1,length))+1e-9);const first2=binOf(sorted[0]),last=binOf(sorted[sorted.length-1]);const bins=new Array(
last-first2+2).fill(0);bins[0]=first2;for(const length of sorted)bins[1+binOf(length)-first2]++;return bins}var Row=class{lengths=Object.fromEntries(KINDS.map(kind=>[
kind,new Lengths]));threads=new Set;monitors=new Set;add(kinds,length,open2){for(const kind of kinds)this.lengths[kind].add(length,open2)}of(kind){return this.lengths[kind].
distribution()}causes(){return{...this.atMonitors(),joined:this.of("joined"),slept:this.of("slept")}}atMonitors(){return{blocked:this.of("blocked"),waited:this.
of("waited"),timed:this.of("timed"),parked:this.of("parked"),io:this.of("io")}}};var Table=class{rows=new Map;at(key,describe){let found=this.rows.get(key);if(!found)
this.rows.set(key,found={row:new Row,what:describe()});return found.row}map(make){return[...this.rows].map(([key,{row,what}])=>make(row,what,key))}};var Shares=class{below=new Map;add(row,key,length,describe){
let shares=this.below.get(row);if(!shares)this.below.set(row,shares=new Map);let share2=shares.get(key);if(!share2)shares.set(key,share2={count:0,total:0,max:0,
what:describe()});share2.count++;share2.total+=length;share2.max=Math.max(share2.max,length)}of(row){const shares=[...this.below.get(row)?.values()??[]].sort((a,b)=>b.
total-a.total);return shares.map(({what,count:count2,total,max})=>({...what,count:count2,total,max}))}};var Counter=class{constructor(places,threads,from,to){this.
places=places;this.threads=threads;this.from=from;this.to=to;this.placeOf=placesByKey(threads)}places;threads;from;to;all=new Row;byThread=new Table;byClass=new Table;byMonitor=new Table;bySite=new Table;owners=new Shares;holders=new Shares;pairs=new Shares;placeOf;enter(lane){
this.byThread.at(String(lane.thread),()=>lane.thread)}add(lane,row){const{spans,thread}=lane;const kinds=kindsOf(spans.state[row],valueOf(spans.timeout,row),spans.
flags[row]),kind=kinds[0];if(!kind)return;const end=Math.min(spans.end[row],this.to),length=end-Math.max(spans.start[row],this.from);const open2=(spans.flags[row]&
OPEN)!==0&&end===spans.end[row];this.all.add(kinds,length,open2);this.byThread.at(String(thread),()=>thread).add(kinds,length,open2);const object2=this.places.objects[valueOf(
spans.object,row)-1];const monitor=kind==="joined"||kind==="slept"?void 0:object2;const rows=[this.classRow(monitor),this.monitorRow(monitor)];const frame=this.
places.frames[valueOf(spans.caller,row)-1];const siteKey2=frame?keyOf(frame,object2?.[1]??"",kind):"";if(frame)rows.push(this.bySite.at(siteKey2,()=>({...placeOf(
frame),monitorClass:object2?.[1]??""})));for(const counted2 of rows){if(!counted2)continue;counted2.add(kinds,length,open2);counted2.threads.add(thread);if(monitor)
counted2.monitors.add(monitorKey(monitor))}if(kind==="blocked")this.addOwner(lane,row,length,monitor,siteKey2)}addOwner(lane,row,length,monitor,siteKey2){const owner=valueOf(
lane.spans.other,row),held2=this.places.frames[valueOf(lane.spans.otherCaller,row)-1];if(monitor&&owner){this.owners.add(monitorKey(monitor),String(owner),length,
()=>this.nameOf(owner));this.pairs.add("",`${lane.thread} ${owner}`,length,()=>({waiter:this.nameOf(lane.thread),owner:this.nameOf(owner)}))}if(!siteKey2||!held2)
return;const at=ownPlace(held2);this.holders.add(siteKey2,keyOf(at,"","blocked"),length,()=>placeOf(at))}classRow(monitor){return monitor&&this.byClass.at(monitor[1],
()=>monitor[1])}monitorRow(monitor){return monitor&&this.byMonitor.at(monitorKey(monitor),()=>monitor)}nameOf(thread){const place=this.placeOf.get(thread)??-1;return{
threadId:this.threads.id[place]??"",name:this.threads.name[place]??"",session:this.threads.session[place]??0}}statistics(){return{all:this.all.causes(),threads:this.
byThread.map((row,thread)=>({...this.nameOf(thread),threadKey:thread,group:this.threads.group[this.placeOf.get(thread)??-1]??"",...row.causes()})),classes:this.
byClass.map((row,name)=>({class:name,...row.atMonitors(),monitors:row.monitors.size,threads:row.threads.size})),monitors:this.byMonitor.map((row,monitor,key)=>({
objectId:monitor[0],class:monitor[1],session:monitor[2],...row.atMonitors(),threads:row.threads.size,owners:this.owners.of(key)})),sites:this.bySite.map((row,site,key)=>({
...site,...row.causes(),monitors:row.monitors.size,threads:row.threads.size,holders:this.holders.of(key)})),pairs:this.pairs.of("")}}};function kindsOf(state,timeout,flags){
const kinds=wholeKindOf(state);if(kinds[0]==="waited"&&(timeout>0||state===TIMED_WAITING))kinds.push("timed");if(state===IN_IO)kinds.push("io");else if((flags&PARK)!==
0)kinds.push("parked");return kinds}function wholeKindOf(state){switch(state){case BLOCKED:case DEADLOCKED:return["blocked"];case WAITING:case TIMED_WAITING:case PARKED:case IN_IO:
return["waited"];case JOINING:return["joined"];case SLEEPING:return["slept"];case RUNNING:default:return[]}}function placeOf(frame){const place={class:frame[0],
method:frame[1],file:frame[2],line:Math.max(0,frame[3])};if(frame[4])place.in=frame[4];if(frame[5])place.outer=frame[5];return place}function keyOf(frame,monitorClass,kind){
return JSON.stringify([frame[0],frame[1],frame[3],frame[4]??"",frame[5]??"",monitorClass,kind==="joined"||kind==="slept"?kind:""])}function monitorKey(monitor){
return JSON.stringify(monitor)}function hasEmbeddedTrace(){return document.getElementById("window")!==null}function embeddedSource(){return new Embedded}var stateTypes=["TRCThreadRunningEvent",
"TRCThreadWaitingForObjectEvent","TRCThreadWaitingForLockEvent","TRCThreadWaitingForJoinEvent","TRCThreadSleepingEvent","TRCThreadWaitingForLockEvent","TRCThrea\
dWaitingForObjectEvent","TRCThreadWaitingForObjectEvent","TRCThreadWaitingForObjectEvent","TRCThreadDeadEvent"];var interactionTypes=["TRCThreadStartsThreadEven\
t","TRCThreadDeadAndNotifyJoinedEvent","TRCThreadNotifyEvent","TRCThreadNotifyAllEvent","TRCThreadInterruptThreadEvent","TRCThreadHandoffLockEvent","TRCThreadWa\
itTimeoutExceedEvent"];var Embedded=class{served=false;known=null;saved=null;everything=null;byThread=null;causes=null;effects=null;async about(){return this.aboutNow()}whole(){
return this.everything??=windowOf(read("window"))}async window(){return this.whole()}async overview(threads,buckets){return overviewOf(this.lanes(threads),this.
aboutNow().duration,buckets)}async detail(thread,event){const lane=this.lanesByThread().get(thread);const found=lane&&(this.ofSpan(lane,event)??this.ofInstant(lane,
event)??this.ofArrow(thread,event));if(!found)throw new Error("This page has no details of the event: it is too short and only there in sums. trcx serve has the\
m.");return found}async statistics(threads,from,to){if(threads==="all"&&from===void 0)return this.saved??=read("statistics");const statistics=statisticsOf(this.
lanes(threads),this.whole().places,this.aboutNow().threads,from,to);if(this.aboutNow().resolution>0)statistics.incomplete=true;return statistics}async path(){return read(
"path")}async blame(){return read("blame")}async heap(){return read("heap")}async methods(){return read("methods")}aboutNow(){return this.known??=read("about")}lanes(threads){
if(threads==="all")return this.whole().lanes;return threads.map(thread=>this.lanesByThread().get(thread)).filter(lane=>lane!==void 0)}lanesByThread(){return this.
byThread??=new Map(this.whole().lanes.map(lane=>[lane.thread,lane]))}ofSpan(lane,event){const{spans}=lane,row=spans.event?.indexOf(event)??-1;if(row<0)return null;
const places=this.whole().places,state=spans.state[row];return{...this.links(event),event,thread:lane.thread,time:spans.start[row],type:stateTypes[state],state,
length:spans.end[row]-spans.start[row],object:places.objects[valueOf(spans.object,row)-1]??null,other:valueOf(spans.other,row),inferred:(spans.flags[row]&INFERRED)!==
0,timeout:valueOf(spans.timeout,row),stack:stackOf(places,valueOf(spans.stack,row))}}ofInstant(lane,event){const{instants}=lane,row=instants.event?.indexOf(event)??
-1;if(row<0)return null;const places=this.whole().places;return{...bare,...this.links(event),event,thread:lane.thread,time:instants.time[row],type:interactionTypes[instants.
type[row]]??"",object:places.objects[valueOf(instants.object,row)-1]??null,other:valueOf(instants.other,row),stack:stackOf(places,valueOf(instants.stack,row))}}ofArrow(thread,event){
const links=this.links(event);const out=this.effects?.get(event)?.[0],into=this.causes?.get(event)?.[0];if(out?.thread===thread)return{...bare,...links,event,thread,
time:out.time,type:interactionTypes[out.type]??""};if(into?.toThread===thread)return{...bare,...links,event,thread,time:into.toTime,type:stateTypes[0],state:0};
return null}links(event){this.causes??=grouped(this.whole().arrows,this.whole().arrows.toEvent);this.effects??=grouped(this.whole().arrows,this.whole().arrows.event);
return{causes:(this.causes.get(event)??[]).map(({type,event:event2,thread,time})=>({type,event:event2,thread,time})),effects:(this.effects.get(event)??[]).map(({
type,toEvent,toThread,toTime})=>({type,event:toEvent,thread:toThread,time:toTime}))}}};var bare={state:-1,length:0,object:null,other:0,inferred:false,timeout:0,
stack:[]};function read(id){const text=document.getElementById(id)?.textContent;if(!text)throw new Error(`This page is incomplete: it has no ${id}.`);return JSON.
parse(text)}function stackOf(places,stack){const frames=places.stacks[stack-1]?.frames??[];return frames.map(frame=>places.frames[frame-1]).filter(frame=>frame!==
void 0)}function grouped(arrows,keys){const groups=new Map;for(let row=0;row<arrows.count;row++){const group=groups.get(keys[row]);if(group)group.push(arrowAt(arrows,
row));else groups.set(keys[row],[arrowAt(arrows,row)])}return groups}function overviewOf(lanes,duration2,buckets){const width=Math.max(1,duration2/buckets);const times2=Array.
from({length:TIMED_STATES},()=>new Array(buckets).fill(0));for(const{spans,mixes}of lanes){for(let row=0;row<spans.count;row++)spread(times2[spans.state[row]],width,
spans.start[row],spans.end[row],1);for(let row=0;row<mixes.count;row++){const start=mixes.start[row],end=mixes.end[row];for(let state=0;state<TIMED_STATES;state++){
const time=mixes.times[TIMED_STATES*row+state];if(time>0)spread(times2[state],width,start,end,time/(end-start))}}}return{width,times:times2}}function spread(buckets,width,start,end,weight){
if(!buckets)return;const last=Math.min(buckets.length-1,Math.floor(end/width));for(let bucket=Math.floor(start/width);bucket<=last;bucket++){const covered=Math.
min(end,(bucket+1)*width)-Math.max(start,bucket*width);buckets[bucket]=buckets[bucket]+weight*covered}}function servedSource(trace){return new Served(trace)}var SMALL=2e4;var LONGEST=12e4;var Served=class{constructor(trace){this.trace=trace}trace;served=true;turn=Promise.
resolve();about(){return this.ask("about",{})}whole(){return null}async window(threads,from,to,resolution,signal){return windowOf(await this.ask("window",{threads:keysOf(
threads),from:Math.floor(from),to:Math.ceil(to),resolution},signal))}overview(threads,buckets){return this.ask("overview",{threads:keysOf(threads),buckets})}detail(thread,event){
return this.ask("detail",{thread,event})}statistics(threads,from,to,signal){return this.ask("statistics",{threads:keysOf(threads),from:from&&Math.floor(from),to:to&&
Math.ceil(to)},signal)}path(){return this.ask("path",{})}blame(){return this.ask("blame",{})}heap(){return this.ask("heap",{})}methods(){return this.ask("method\
s",{})}nextTurn(){return this.turn=this.turn.then(()=>new Promise(go2=>{const late=setTimeout(go2,100);requestAnimationFrame(()=>{clearTimeout(late);setTimeout(
go2,0)})}))}async ask(what,parameters,signal){const query=new URLSearchParams({trace:String(this.trace)});for(const[name,value]of Object.entries(parameters)){if(value!==
void 0)query.set(name,String(value))}const question=`${what}?${query}`;if(question.length>LONGEST)throw new Error("So many single threads cannot be asked for at\
 once: choose fewer, or all of them.");const response=await reach(question,signal);const text=await response.text();if(!response.ok)throw new Error(text.trim()||
`The server answers ${response.status}.`);if(text.length>SMALL)await this.nextTurn();return JSON.parse(text)}};async function reach(address,signal){try{return await fetch(
address,signal?{signal}:{})}catch(problem){if(signal?.aborted)throw problem;throw new Error("The server cannot be reached any more: is trcx serve still running?")}}
function keysOf(threads){if(threads==="all")return void 0;const sorted=[...threads].sort((a,b)=>a-b),text=ranges(sorted);return text.length>(sorted.at(-1)??0)/6+
8?bits(sorted):text}function bits(sorted){const bytes2=new Uint8Array(Math.ceil((sorted.at(-1)??0)/8));for(const key of sorted)bytes2[key-1>>3]|=1<<(key-1&7);let text="";
for(const byte of bytes2)text+=String.fromCharCode(byte);return"~"+btoa(text).replaceAll("+","-").replaceAll("/","_").replaceAll("=","")}function ranges(sorted){
const parts=[];for(let first2=0;first2<sorted.length;){let last=first2;while(last+1<sorted.length&&sorted[last+1]<=sorted[last]+1)last++;parts.push(last===first2?
String(sorted[first2]):`${sorted[first2]}-${sorted[last]}`);first2=last+1}return parts.join(",")}function openSource(trace=0){return hasEmbeddedTrace()?embeddedSource():servedSource(trace)}var Answer=class{constructor(content,waiting,failed,ask,show){this.content=content;this.waiting=waiting;this.failed=failed;this.ask=ask;this.show=show;content.hidden=
true}content;waiting;failed;ask;show;state=element("p",{class:"panel-state",role:"status"});document=null;asked="";update(about){const now=`${about.events} ${about.
live}`;if(this.asked===now)return;this.asked=now;void this.load()}async load(){this.state.textContent=this.document?"":`${this.waiting} …`;try{this.document=await this.
ask();this.state.textContent="";this.state.classList.remove("failed");this.content.hidden=false;this.show(this.document)}catch(failure){this.asked="";this.state.
textContent=`${this.failed}: ${messageOf(failure)}`;this.state.classList.add("failed")}}};function section(title,hint,shown,...more){return element("section",{class:"section"},element("div",{class:"section-head"},element("h2",{},title),hint?element("\
p",{class:"section-hint"},hint):null,...more,shown.tools),shown.root)}var held=new Map;function remembered(name){const kept=held.get(name);if(kept!==void 0)return kept;try{return localStorage.getItem("trcx."+name)}catch{return null}}
function remember(name,value){held.set(name,value);try{localStorage.setItem("trcx."+name,value)}catch{}}var SCALE=parseFloat(getComputedStyle(document.documentElement).fontSize)/16;var LETTER=7*SCALE;var HEAD_EXTRA=26*SCALE;var NARROWEST=44;var WIDEST=1600;var TableHead=class{constructor(grid,name,columns,order,sorted){
this.grid=grid;this.name=name;this.columns=columns;this.order=order;this.sorted=sorted;this.readWidths();this.draw()}grid;name;columns;order;sorted;heads=new Map;cols=new Map;widths=new Map;available=0;get all(){
return this.columns}setColumns(columns){this.columns=columns;if(!columns.some(column=>column.id===this.order.by))this.order.by=columns[0].id;this.readWidths();this.
draw()}sortByColumn(id){if(!this.columns.some(column=>column.id===id))return;this.setOrder(id,true)}inOrder(rows){const column=this.columns.find(c=>c.id===this.
order.by)??this.columns[0];const orders=new Map(rows.map(row=>[row,column.order(row)])),sign=this.order.descending?-1:1;return rows.sort((a,b)=>sign*compared(orders.
get(a),orders.get(b)))}fit(available){this.available=available;let sum=0;for(const column of this.columns)sum+=this.width(column);for(const column of this.columns){
const grown=column.grows&&!this.widths.has(column.id)&&sum<available?available-sum:0;const col=this.cols.get(column.id);if(col)col.style.width=`${this.width(column)+
grown}px`}this.grid.style.width=`${Math.max(sum,this.grows?available:0)}px`}get grows(){return this.columns.some(column=>column.grows&&!this.widths.has(column.id))}draw(){
this.heads.clear();this.cols.clear();const cols=element("colgroup"),row=element("tr");for(const column of this.columns){const col=element("col"),head2=this.cell(
column);this.cols.set(column.id,col);this.heads.set(column.id,head2);cols.append(col);row.append(head2)}this.grid.querySelector("colgroup")?.remove();this.grid.
tHead?.remove();this.grid.prepend(cols,element("thead",{},row));this.mark();this.fit(this.available)}cell(column){const sort=button(column.label,()=>this.sort(column),
{class:"sort",title:column.explain??column.label});sort.append(element("span",{class:"sort-mark","aria-hidden":"true"}));sort.addEventListener("keydown",event=>this.
widthKey(event,column));const grip=element("span",{class:"grip","aria-hidden":"true",title:"drag: width; double click: as wide as the text"});grip.addEventListener(
"pointerdown",event=>this.drag(event,grip,column));grip.addEventListener("dblclick",()=>this.setWidth(column,this.natural(column)));return element("th",{scope:"\
col",class:column.number?"number":void 0},sort,grip)}sort(column){const{by,descending:descending2}=this.order;this.setOrder(column.id,by===column.id?!descending2:
column.number??false)}setOrder(by,descending2){Object.assign(this.order,{by,descending:descending2});this.mark();this.sorted()}mark(){const{by,descending:descending2}=this.
order;for(const[id,head2]of this.heads)head2.setAttribute("aria-sort",id!==by?"none":descending2?"descending":"ascending")}widthKey(event,column){if(!event.shiftKey||
event.key!=="ArrowLeft"&&event.key!=="ArrowRight")return;event.preventDefault();event.stopPropagation();this.setWidth(column,this.width(column)+(event.key==="Ar\
rowLeft"?-16:16))}drag(event,grip,column){event.preventDefault();const from=event.clientX;const width=this.cols.get(column.id)?.getBoundingClientRect().width||this.
width(column);const move2=moved=>this.setWidth(column,width+moved.clientX-from);grip.setPointerCapture(event.pointerId);grip.addEventListener("pointermove",move2);
grip.addEventListener("lostpointercapture",()=>grip.removeEventListener("pointermove",move2),{once:true})}setWidth(column,width){this.widths.set(column.id,Math.
round(Math.min(WIDEST,Math.max(NARROWEST,width))));remember(`widths.${this.name}`,JSON.stringify(Object.fromEntries(this.widths)));this.fit(this.available)}readWidths(){
try{const kept=JSON.parse(remembered(`widths.${this.name}`)??"{}");for(const[id,width]of Object.entries(kept??{})){if(typeof width==="number"&&width>=NARROWEST&&
width<=WIDEST)this.widths.set(id,width)}}catch{}}width(column){return this.widths.get(column.id)??Math.max(SCALE*column.width,column.label.length*LETTER+HEAD_EXTRA)}natural(column){
const i=this.columns.indexOf(column);let widest=NARROWEST;for(const row of this.grid.tBodies[0]?.rows??[]){const cell=row.cells[i];if(cell)widest=Math.max(widest,
cell.scrollWidth+6)}return widest}};var collator=new Intl.Collator("en",{numeric:true,sensitivity:"base"});function compared(a,b){return typeof a==="number"&&typeof b===
"number"?a-b:collator.compare(String(a),String(b))}var RowSelection=class{constructor(single,keyOf4,rows){this.single=single;this.keyOf=keyOf4;this.rows=rows}single;keyOf;rows;keys=new Set;at=0;anchor=0;has(row){
return this.keys.has(this.keyOf(row))}set(keys){this.keys.clear();for(const key of keys)this.keys.add(key)}only(i){const row=this.rows()[i];if(!row)return;const again=this.
single&&this.has(row);this.set(again?[]:[this.keyOf(row)]);this.anchor=i}toggle(i){const row=this.rows()[i];if(!row)return;const key=this.keyOf(row),had=this.keys.
delete(key);if(this.single)this.keys.clear();if(!had)this.keys.add(key);this.anchor=i}range(to,keep){if(!keep)this.keys.clear();const rows=this.rows();for(let i=Math.
min(this.anchor,to);i<=Math.max(this.anchor,to);i++){const row=rows[i];if(row)this.keys.add(this.keyOf(row))}}anchorAt(i){this.anchor=i}everything(){for(const row of this.
rows())this.keys.add(this.keyOf(row))}dropMissing(all){const left=new Set(all.map(this.keyOf));for(const key of[...this.keys])if(!left.has(key))this.keys.delete(
key)}};var ROW_HEIGHT=28*SCALE;var SPARE_ROWS=12;var SMALL2=120;var PRINTED=100;var Table2=class{constructor(options){this.options=options;this.grid=element("table",this.
gridAttributes(),this.body);this.chosen=new RowSelection(!this.multiple,options.key,()=>this.sight);const order={by:options.sort,descending:!options.ascending};
this.head=new TableHead(this.grid,options.name,options.columns,order,()=>this.arrange());this.tools=this.makeTools();this.scroller=element("div",{class:"table-s\
croller",tabindex:this.selectable?-1:0,role:"group","aria-label":options.label},this.grid);this.root=element("div",{class:"table"},this.tools,this.scroller);this.
scroller.addEventListener("scroll",()=>this.scrolled(),{passive:true});this.body.addEventListener("click",event=>this.clicked(event));this.body.addEventListener(
"dblclick",event=>this.opened(event.target));this.body.addEventListener("keydown",event=>this.key(event));new ResizeObserver(()=>this.resized()).observe(this.scroller)}options;root;tools;body=element(
"tbody");grid;head;scroller;count=element("span",{class:"table-count"});chosen;all=[];sight=[];query="";made=[0,0];visible=[0,0];printing=false;setRows(rows){this.
all=rows;if(this.chosen.keys.size>0)this.chosen.dropMissing(rows);this.arrange()}setColumns(columns,rows){this.head.setColumns(columns);this.setRows(rows??this.
all)}sortByColumn(id){this.head.sortByColumn(id)}get rowsInSight(){return this.sight}get selection(){return this.chosen.keys}select(keys){this.chosen.set(keys);
this.mark()}showRow(key){const found=()=>this.sight.findIndex(row=>this.options.key(row)===key);if(found()<0&&this.query!=="")this.search("");const at=found();if(at<
0)return false;this.root.scrollIntoView({block:"nearest"});this.chosen.set([]);this.act(()=>this.chosen.only(at));this.focus(at);return true}refresh(){this.arrange()}print(printing){
this.printing=printing;this.root.classList.toggle("printing",printing);this.fill()}get selectable(){return(this.options.select??"none")!=="none"}get multiple(){
return this.options.select==="many"||this.options.select==="checks"}gridAttributes(){if(!this.selectable)return{"aria-label":this.options.label};return{role:"gr\
id","aria-label":this.options.label,"aria-multiselectable":this.multiple?"true":void 0}}makeTools(){const tools=element("div",{class:"table-tools"},this.count);
if(this.options.search===false)return tools;const input=element("input",{type:"search",class:"table-search",placeholder:"Search","aria-label":`Search: ${this.options.
label}`,spellcheck:"false"});input.addEventListener("input",()=>this.search(input.value));tools.prepend(input);return tools}search(text){const input=this.tools.
querySelector("input");if(input&&input.value!==text)input.value=text;this.query=text.toLowerCase();this.arrange()}resized(){this.head.fit(this.scroller.clientWidth);
this.scrolled()}scrolled(){this.visible=[this.scroller.scrollTop,this.scroller.clientHeight];this.follow()}arrange(){const{accept}=this.options,{chosen}=this;this.
sight=this.head.inOrder(this.all.filter(row=>(!accept||accept(row))&&this.found(row)));chosen.at=Math.max(0,Math.min(chosen.at,this.sight.length-1));this.say();
this.fill()}found(row){return this.query===""||this.head.all.some(column=>column.text(row).toLowerCase().includes(this.query))}say(){const[one,many]=this.options.
unit,{size:size2}=this.chosen.keys;const total=counted(this.all.length,one,many);const shown=this.sight.length===this.all.length?total:`${count(this.sight.length)}\
 of ${total}`;this.count.textContent=shown+(this.multiple&&size2>0?`, ${count(size2)} selected`:"")}follow(){const[from,to]=this.wanted();if(from<this.made[0]||
to>this.made[1])this.fill()}wanted(){const length=this.sight.length;if(this.printing)return[0,Math.min(length,PRINTED)];if(length<=SMALL2)return[0,length];const[
top,height]=this.visible,first2=Math.floor(top/ROW_HEIGHT);const last=first2+Math.ceil(height/ROW_HEIGHT)+1;return[Math.max(0,Math.min(first2,length-1)),Math.min(
length,last)]}fill(){const[first2,last]=this.wanted();const whole=this.printing||this.sight.length<=SMALL2;const from=whole?first2:Math.max(0,first2-SPARE_ROWS);
const to=whole?last:Math.min(this.sight.length,last+SPARE_ROWS);const focused=this.body.contains(document.activeElement)&&document.activeElement instanceof HTMLTableRowElement;
this.made=[from,to];replace(this.body,...this.filling(from,to));this.grid.setAttribute("aria-rowcount",String(this.sight.length+1));if(focused)this.rowAt(this.chosen.
at)?.focus({preventScroll:true})}filling(from,to){if(this.sight.length===0)return[this.notice(this.all.length===0?this.options.empty??"There is nothing to show.":
"No row matches the search.")];const rows=[];if(from>0)rows.push(this.space(from));for(let i=from;i<to;i++)rows.push(this.row(this.sight[i],i));if(to<this.sight.
length)rows.push(this.printing?this.notice(`${count(this.sight.length-to)} more are not printed.`):this.space(this.sight.length-to));return rows}space(rows){const space=element(
"td",{colspan:this.head.all.length});space.style.height=`${rows*ROW_HEIGHT}px`;return element("tr",{class:"space","aria-hidden":"true"},space)}notice(text){return element(
"tr",{class:"notice"},element("td",{colspan:this.head.all.length},text))}row(row,i){const made=element("tr",{"aria-rowindex":i+2,"data-at":i});if(this.selectable){
made.setAttribute("aria-selected",String(this.chosen.has(row)));made.tabIndex=i===this.chosen.at?0:-1}this.head.all.forEach((column,c)=>made.append(this.cell(row,
column,c===0)));return made}cell(row,column,first2){const text=column.text(row);const cell=element("td",{class:column.number?"number":void 0});if(this.selectable)
cell.setAttribute("role","gridcell");const content=column.cell?column.cell(row):column.number?text:named(text);cell.append(first2&&this.options.select==="checks"?
element("span",{class:"with-box"},this.box(row,text),content):content);const{show}=this.options;if(first2&&show)cell.append(button("",()=>show(row),{class:"show",
tabindex:-1,"aria-label":`Show in the timeline: ${tooltip(text)}`,title:"Show its longest wait in the timeline (Enter)"}));if(column.number&&!column.cell)cell.title=
tooltip(text);return cell}box(row,text){const box=element("input",{type:"checkbox",tabindex:"-1","aria-label":tooltip(text)});box.checked=this.chosen.has(row);return box}rowAt(i){
return this.body.querySelector(`tr[data-at="${i}"]`)}clicked(event){if(!this.selectable||!(event.target instanceof Element)||event.target.closest("button, a"))return;
const row=event.target.closest("tr[data-at]");if(!row)return;const i=Number(row.dataset.at),{chosen}=this;const toggles=event.ctrlKey||event.metaKey||this.options.
select==="checks";if(this.multiple&&event.shiftKey)this.act(()=>chosen.range(i,toggles));else if(toggles)this.act(()=>chosen.toggle(i));else this.act(()=>chosen.
only(i));this.focus(i)}key(event){if(!this.selectable||!(event.target instanceof HTMLTableRowElement))return;const{chosen,multiple}=this,{at}=chosen;const page2=Math.
max(1,Math.floor(this.visible[1]/ROW_HEIGHT)-2);const to={ArrowDown:at+1,ArrowUp:at-1,PageDown:at+page2,PageUp:at-page2,Home:0,End:this.sight.length-1}[event.key];
if(to!==void 0)this.move(Math.max(0,Math.min(this.sight.length-1,to)),event);else if(event.key===" ")this.act(()=>multiple?chosen.toggle(at):chosen.only(at));else if(event.
key==="Enter")this.entered(event.target);else if(event.key==="a"&&(event.ctrlKey||event.metaKey)&&multiple)this.act(()=>chosen.everything());else if(event.key===
"Escape"&&this.options.select!=="checks"&&chosen.keys.size>0)this.act(()=>chosen.set([]));else return;event.preventDefault();event.stopPropagation()}entered(target){
if(!this.opened(target))this.act(()=>this.chosen.only(this.chosen.at))}move(to,event){const{chosen}=this;if(this.multiple&&event.shiftKey)this.act(()=>chosen.range(
to,false));else if(!event.ctrlKey&&!event.metaKey&&this.options.select!=="checks")this.act(()=>chosen.only(to));else chosen.anchorAt(to);this.focus(to)}focus(i){
const before=this.rowAt(this.chosen.at);if(before)before.tabIndex=-1;this.chosen.at=i;this.reveal(i);const row=this.rowAt(i);if(!row)return;row.tabIndex=0;row.focus(
{preventScroll:true})}reveal(i){const{scroller}=this,head2=this.grid.tHead?.offsetHeight??ROW_HEIGHT;const top=i*ROW_HEIGHT,visible=scroller.clientHeight-head2;
if(top<scroller.scrollTop)scroller.scrollTop=top;else if(top+ROW_HEIGHT>scroller.scrollTop+visible)scroller.scrollTop=top+ROW_HEIGHT-visible;this.scrolled()}act(change){
change();this.mark();this.options.selected?.(this.chosen.keys)}mark(){for(const row of this.body.querySelectorAll("tr[data-at]")){const chosen=this.chosen.has(this.
sight[Number(row.dataset.at)]);row.setAttribute("aria-selected",String(chosen));const box=row.querySelector("input[type=checkbox]");if(box)box.checked=chosen}this.
say()}opened(target){const row=target instanceof Element?target.closest("tr[data-at]"):null;const act=this.options.open??this.options.show;if(!row||!act)return false;
act(this.sight[Number(row.dataset.at)]);return true}};function blameColours(states){return node=>{if(node.depth===0)return"var(--line)";const bracketed=/^\[(.*)\]$/s.exec(node.name)?.[1];const state=states.findIndex(
({label})=>label===bracketed);if(state>=0)return`var(--state-${state})`;if(bracketed!==void 0)return node.children.length>0?"var(--part-1)":"var(--part-7)";return culpritAbove(
node)?"var(--part-3)":"var(--part-0)"}}function culpritAbove(node){for(let at=node.parent;at;at=at.parent)if(/^\[.*\]$/s.test(at.name))return true;return false}var WIDTH=132;var HEIGHT=18;var FEWEST_BINS=12;var BINS_A_DECADE=2*Math.log2(10);function axisOf(distributions){let first2=Infinity;let last=-Infinity;for(const d of distributions){
if(d.count===0||d.bins.length<2)continue;first2=Math.min(first2,d.bins[0]);last=Math.max(last,d.bins[0]+d.bins.length-2)}if(first2>last)return null;const missing=Math.
max(0,FEWEST_BINS-(last-first2+1));first2=Math.max(0,first2-Math.ceil(missing/2));return{first:first2,last:Math.max(last,first2+FEWEST_BINS-1)}}function axisText(axis){
return`${duration(edge(axis.first))} – ${duration(edge(axis.last+1))}, logarithmic`}function distributionText(d){if(d.count===0)return"no intervals";if(d.count===
1)return`one interval of ${duration(d.total)}`;const range=`from ${duration(d.min)} to ${duration(d.max)}`;return`${counted(d.count,"interval")} ${range}; half \
up to ${duration(d.p50)}, 90 % up to ${duration(d.p90)}`}function plot(d,axis,state){const text=distributionText(d);const picture=drawing("svg",{class:"plot",role:"\
img","aria-label":text,width:WIDTH,height:HEIGHT,viewBox:`0 0 ${WIDTH} ${HEIGHT}`},drawing("title",{},text));if(state!==void 0)picture.style.setProperty("--kind",
`var(--state-${state})`);if(!axis||d.count===0)return picture;const step=WIDTH/(axis.last-axis.first+1);picture.append(drawing("path",{class:"plot-grid",d:decades(
axis,step)}));picture.append(drawing("path",{class:"plot-bars",d:bars(d,axis,step)}));picture.append(drawing("path",{class:"plot-median",d:`M${round(x(Math.max(
1,d.p50),axis,step))} 0V${HEIGHT}`}));return picture}function bars(d,axis,step){const counts=d.bins.slice(1);const most=Math.sqrt(Math.max(...counts));const width=Math.
max(1,step-(step>3?1:0));let path="";counts.forEach((count2,i)=>{if(count2===0)return;const height=Math.max(1.5,(HEIGHT-2)*Math.sqrt(count2)/most);path+=`M${round(
(d.bins[0]+i-axis.first)*step)} ${HEIGHT}v${round(-height)}h${round(width)}V${HEIGHT}z`});return path}function decades(axis,step){let path="";for(let bin=Math.ceil(
axis.first/BINS_A_DECADE)*BINS_A_DECADE;bin<=axis.last+1;bin+=BINS_A_DECADE){path+=`M${round((bin-axis.first)*step)} 0V${HEIGHT}`}return path}function x(length,axis,step){
return(2*Math.log2(length)-axis.first)*step}function edge(bin){return 2**(bin/2)}function round(value){return Math.round(value*10)/10}function durationColumn(id,label,of,explain){return{id,label,explain,width:74,number:true,order:of,text:row=>of(row)===0?"":duration(of(row))}}function bytesColumn(id,label,of,explain){
return{id,label,explain,width:84,number:true,order:of,text:row=>of(row)===0?"":size(of(row))}}function countColumn(id,label,of,explain){return{id,label,explain,
width:60,number:true,order:of,text:row=>of(row)===0?"":count(of(row))}}function textColumn(id,label,width,of,explain){return{id,label,explain,width,order:of,text:of}}
function distributionColumns(of,what,axis,state){const figure=(id,label,explain)=>durationColumn(id,label,row=>of(row)[id],`${what}: ${explain}`);const scale2=axis?
`; from ${axisText(axis)}; heights by the square root of the number; the line is the median`:"";return[figure("max","Longest","the longest interval"),figure("me\
an","Mean","total time through the number of intervals"),figure("p50","Median","half of the intervals are up to so long"),figure("p90","90 %","nine of ten inter\
vals are up to so long"),figure("p99","99 %","99 of 100 intervals are up to so long"),{id:"plot",label:"Distribution",explain:`${what}: how long the intervals a\
re${scale2}. Sorted by the median.`,width:148,number:true,order:row=>of(row).p50,text:row=>of(row).count===0?"":distributionText(of(row)),cell:row=>plot(of(row),
axis,state?.(row))}]}function shareText(rows,name){const total=rows.reduce((sum,row)=>sum+row.total,0);const most=rows.reduce((best,row)=>best&&best.total>=row.
total?best:row,null);if(!most)return"";return total>0?`${name(most)} (${share(most.total,total)})`:name(most)}var GROUPINGS=[["threads","By thread"],["pools","By pool"],["monitors","By monitor"],["places","By place"],["waiters","By waiter"]];var LABELS={threads:"Thread \
to blame",pools:"Pool to blame",monitors:"Waited for",places:"Waited at",waiters:"Thread that waited"};function sumRows(blame,by){if(by==="threads"||by==="pools")
return blame[by].map((culprit,i)=>({id:`${by} ${i}`,label:by==="threads"?culpritText(culprit):culprit.pool??culpritText(culprit),more:doing(culprit),total:culprit.
total,count:culprit.count,longest:0,culprit,group:null}));return blame[by].map((group,i)=>({id:`${by} ${i}`,label:groupText(group,by),more:group.mostly??"",total:group.
total,count:group.count,longest:group.longest.to-group.longest.from,culprit:null,group}))}function culpritText(row){return row.threadKey?waiterText({threadId:row.
threadId??"",threadName:row.threadName}):"(unknown)"}function waiterText(wait){return`${wait.threadName||"(no name)"} (thread ${wait.threadId})`}function groupText(group,by){
if(by==="monitors")return group.longest.for;return by==="places"?group.longest.place||"(unknown place)":waiterText(group.longest)}function doing(row){if(row.kind===
"latency")return"had woken another thread";return row.kind==="unknown"?"the trace does not show it":row.state??""}function sumColumns(by,total){const culprits=by===
"threads"||by==="pools";const longest=durationColumn("longest","Longest",row=>row.longest,"the longest of these waits");return[{...textColumn("label",LABELS[by],
330,row=>row.label),grows:true},{id:"share",label:"Share",width:70,number:true,explain:"of the time of all finished waits",order:row=>row.total,text:row=>share(
row.total,total)},durationColumn("total","Waited",row=>row.total,"how long threads waited meanwhile, in all"),countColumn("count","Waits",row=>row.count,"how ma\
ny finished waits"),...culprits?[]:[longest],textColumn("more",culprits?"It was":"Mostly because of",culprits?210:330,row=>row.more)]}function openColumns(){return[
{...textColumn("thread","Thread",240,waiterText),grows:true},durationColumn("length","Has waited",row=>row.to-row.from),{id:"from",label:"Since",width:84,number:true,
order:row=>row.from,text:row=>duration(row.from)},textColumn("for","For",300,row=>row.for),textColumn("place","At",330,row=>row.place??"")]}function frameTree(samples,name){const root2={name,total:0,depth:0,children:[],parent:null};const byName=new Map;const add2=(node,{total,before})=>{node.total+=
total;if(before!==void 0)node.before=(node.before??0)+before;return node};for(const sample2 of samples){let at=add2(root2,sample2);for(const frame of sample2.frames)
at=add2(childOf(at,frame,byName),sample2)}for(const node of nodesOf(root2))node.children.sort((a,b)=>b.total-a.total);return root2}function childOf(node,name,byName){
let children=byName.get(node);if(!children)byName.set(node,children=new Map);let child=children.get(name);if(!child){child={name,total:0,depth:node.depth+1,children:[],
parent:node};children.set(name,child);node.children.push(child)}return child}function*nodesOf(node){const open2=[node];for(let next=open2.pop();next;next=open2.
pop()){yield next;for(let i=next.children.length-1;i>=0;i--)open2.push(next.children[i])}}function matching(root2,text){const nodes=new Set;let total=0;if(text===
"")return{nodes,total};for(const node of nodesOf(root2)){if(node.depth===0||!node.name.toLowerCase().includes(text))continue;nodes.add(node);if(!within(node.parent,
nodes))total+=node.total}return{nodes,total}}function within(node,nodes){for(let at=node;at;at=at.parent)if(nodes.has(at))return true;return false}var NARROWEST2=.001;var MOST=2e3;var LISTED=500;var TOLD=.1;var Icicle=class{constructor(options){this.options=options;const{label}=options;this.of=options.of;this.
rows.setAttribute("aria-label",label);const search=element("input",{type:"search",class:"table-search",placeholder:"Search","aria-label":`Search: ${label}`,spellcheck:"\
false"});search.addEventListener("input",()=>{this.query=search.value.trim().toLowerCase();this.draw()});const text=toggleButton("As text",on=>{this.list.hidden=
!on;this.rows.hidden=on});this.tools=element("div",{class:"table-tools"},search,this.matched,text);this.root.append(this.rows,this.list);this.rows.addEventListener(
"keydown",event=>this.key(event))}options;root=element("div",{class:"icicle"});tools;rows=element("div",{class:"icicle-rows",role:"tree"});list=element("div",{class:"\
icicle-text",hidden:true});matched=element("span",{class:"table-count",role:"status"});tree=frameTree([],"");zoomed=this.tree;focused=this.tree;query="";self=false;of;narrowest=NARROWEST2;drawn=new Map;show(samples,self=false){
const path=pathOf2(this.zoomed);this.showTree(frameTree(samples,this.options.root),self);for(const{name}of path.slice(1)){const child=this.zoomed.children.find(
node=>node.name===name);if(!child)break;this.zoomed=child}this.focused=this.zoomed;this.draw()}showTree(tree,self,of=this.options.of){Object.assign(this,{tree,self,
of,zoomed:tree,focused:tree});this.draw();replace(this.list,listOf(tree,tree.total,this.options.amount))}zoom(node){const had=this.rows.contains(document.activeElement);
this.zoomed=node;this.focused=node;this.draw();if(had)this.drawn.get(node)?.focus()}draw(){const{nodes,total}=matching(this.tree,this.query),{amount}=this.options;
this.matched.textContent=this.query===""?"":`${share(total,this.tree.total)} ${this.of}, ${amount(total)}`;this.drawn.clear();this.narrowest=narrowestOf(this.zoomed);
const levels=[];for(const node of pathOf2(this.zoomed))levels[node.depth]=[this.node(node,0,1,nodes)];this.below(this.zoomed,0,1,levels,nodes);if(this.options.upward)
levels.reverse();replace(this.rows,...levels.map(made=>element("div",{class:"icicle-row",role:"presentation"},...made)))}below(node,from,width,levels,found){let at=from;
for(const child of node.children){const part=width*child.total/Math.max(node.total,1);if(part<this.narrowest||this.drawn.size>=MOST){if(child.at!==void 0)continue;
break}if(child.at!==void 0)at=from+width*(child.at-(node.at??0))/Math.max(node.total,1);(levels[child.depth]??=[]).push(this.node(child,at,part,found));this.below(
child,at,part,levels,found);at+=part}}node(node,from,width,found){const above=node.depth<this.zoomed.depth,{of}=this,{amount,colour}=this.options;const own=this.
self&&node.depth>0&&node.children.length>0?selfOf(node):0;const text=`${node.name}: ${amount(node.total)}, ${share(node.total,this.tree.total)} ${of}`+(own>0?`;\
 ${amount(own)} by itself`:"")+(this.options.change?.(node)??"");const made=element("div",{class:"icicle-node",role:"treeitem","aria-level":node.depth+1,"aria-l\
abel":tooltip(text),"aria-expanded":node.children.length>0?"true":void 0,title:tooltip(text),tabindex:node===this.focused?0:-1,"data-above":above,"data-found":found.
has(node),"data-dim":this.query!==""&&!found.has(node)},element("bdi",{dir:"auto","aria-hidden":"true"},clipped(node.name,300)),own>0&&width>=TOLD&&element("spa\
n",{class:"self","aria-hidden":"true"},`self ${amount(own)}`));if(own>0)made.style.setProperty("--self",`${100*own/node.total}%`);made.style.left=`${100*from}%`;
made.style.width=`${100*width}%`;made.style.setProperty("--node",colour(node));made.addEventListener("click",()=>{made.focus();this.zoom(node)});made.addEventListener(
"focus",()=>this.focus(node));this.drawn.set(node,made);return made}focus(node){this.drawn.get(this.focused)?.setAttribute("tabindex","-1");this.focused=node;this.
drawn.get(node)?.setAttribute("tabindex","0")}key(event){if(event.ctrlKey||event.metaKey||event.altKey)return;const{focused}=this;if(event.key==="Enter"||event.
key===" ")this.zoom(focused);else if(event.key==="Escape"&&this.zoomed.parent)this.zoom(this.zoomed.parent);else if(event.key==="Home")this.drawn.get(this.tree)?.
focus();else if(!this.move(event.key,focused))return;event.preventDefault();event.stopPropagation()}move(key,node){const row=[...this.drawn.keys()].filter(({depth})=>depth===
node.depth),at=row.indexOf(node);const inner=node.children.find(child=>this.drawn.has(child)),outer=node.parent,{upward}=this.options;const to={ArrowDown:upward?
outer:inner,ArrowUp:upward?inner:outer,ArrowRight:row[at+1],ArrowLeft:row[at-1]};if(!(key in to))return false;const next=to[key];if(next)this.drawn.get(next)?.focus();
return true}};function narrowestOf(root2){if(root2.at===void 0)return NARROWEST2;const totals=[...nodesOf(root2)].map(({total})=>total).sort((a,b)=>b-a);return Math.
max(NARROWEST2,(totals[MOST]??0)/Math.max(root2.total,1))}function selfOf({total,children}){return children.reduce((rest,child)=>rest-child.total,total)}function pathOf2(node){
const path=[];for(let at=node;at;at=at.parent)path.unshift(at);return path}function listOf(root2,all,amount){let left=LISTED;const made=node=>{const item=element(
"li",{},element("bdi",{dir:"auto"},clipped(node.name,300)),` ${amount(node.total)}, ${share(node.total,all)}`);const below2=node.children.slice(0,Math.max(left,
0));left-=below2.length;if(below2.length>0)item.append(element("ul",{},...below2.map(made)));return item};return element("ul",{},made(root2))}var Worst=class{constructor(show){this.show=show}show;root=element("ul",{class:"worst","aria-label":"Where to look first",hidden:true});update(blame){const offers=blame.
worst.map(({name,from,to,total,count:count2})=>this.offer(`Worst ${name}`,`${moment(from,1e8)} – ${moment(to,1e8)}`,`${counted(count2,"wait")} of ${duration(total)}\
 in all ended in it`,()=>this.show({window:[from,to],thread:null})));const waiter=blame.waiters.find(({longest})=>longest.threadKey===blame.worstThread);if(waiter)
offers.push(this.offer("Worst thread",waiter.longest.threadName||`thread ${waiter.longest.threadId}`,`it waited for ${duration(waiter.total)} in ${counted(waiter.
count,"finished wait")}`,()=>this.show({window:null,thread:waiter.longest.threadKey},waiter.longest)));replace(this.root,...offers);this.root.hidden=offers.length===
0}offer(label,what,why,act){return element("li",{},`${label}: `,button(what,act,{class:"link",title:`${label}: show only it in the timeline`}),element("span",{class:"\
section-hint"},`, ${why}`))}};var ContentionTab=class{constructor(root2,source,about,jumps,show){this.source=source;this.about=about;this.jumps=jumps;this.worst=new Worst((part,longest)=>{show(
part);if(longest)jumps.to(longest.threadKey,longest.from,longest.to)});this.sums=this.sumTable("contention.sums","Who kept threads waiting","threads");this.monitors=
this.sumTable("contention.monitors","What threads waited for","monitors");this.open=new Table2({name:"contention.open",label:"Still waiting when the trace ended",
columns:openColumns(),key:row=>`${row.threadKey} ${row.from}`,sort:"length",select:"one",unit:["wait","waits"],empty:"No thread waited when the trace ended, exc\
ept for idle ones.",open:row=>jumps.to(row.threadKey,row.from,row.to),show:row=>jumps.to(row.threadKey,row.from,row.to)});this.icicle=new Icicle({label:"Icicle \
of blame",root:"all finished waits",of:"of the time",amount:duration,colour:blameColours(about.states)});this.openSection=section("Still waiting when the trace \
ended","",this.open);this.content.append(section("Icicle of blame","Where threads waited, what for, who is to blame, and what that one did.",this.icicle),this.lanes,
this.headline,this.worst.root,section("Who kept threads waiting","",this.sums,this.groupings.root),section("What threads waited for","",this.monitors),this.openSection);
root2.classList.add("contention");root2.append(this.answer.state,this.content)}source;about;jumps;headline=element("p",{class:"path-verdict"});sums;monitors;open;icicle;worst;openSection;content=element(
"div",{class:"contention-content"});lanes=element("section",{class:"section contention-lanes","aria-label":"Lanes"});answer=new Answer(this.content,"Computing t\
he blame","The blame cannot be shown",()=>this.source.blame(),blame=>this.show(blame));groupings=new Choice("Sums of blame",GROUPINGS,"threads",by=>{this.chosen=
true;this.group(by)});by="threads";chosen=false;update(){this.answer.update(this.about)}get blame(){return this.answer.document}grown(about){this.about=about}print(printing){
for(const table2 of[this.sums,this.monitors,this.open])table2.print(printing)}sumTable(name,label,by){return new Table2({name,label,columns:sumColumns(by,0),key:row=>row.
id,sort:"total",select:"one",unit:["row","rows"],empty:"No thread finished a wait, except for idle ones.",open:row=>this.jump(row),show:row=>this.jump(row)})}show(blame){
const{idle,stillWaiting}=blame,ended=!this.about.live;replace(this.headline,element("bdi",{dir:"auto"},blame.headline),idle&&element("bdi",{class:"idle",dir:"au\
to"},idle),ended&&stillWaiting&&element("bdi",{class:"still-waiting",dir:"auto"},stillWaiting));this.worst.update(blame);if(!this.chosen)this.groupings.set(leading(
blame));this.group(this.chosen?this.by:leading(blame));this.monitors.setColumns(sumColumns("monitors",blame.total),sumRows(blame,"monitors"));this.icicle.show(blame.
samples);this.open.setRows(blame.open);this.openSection.hidden=blame.open.length===0||!ended;if(blame.openBlocked>blame.total)this.lanes.after(this.openSection);else
this.content.append(this.openSection)}group(by){const changed=by!==this.by;this.by=by;if(!this.blame)return;this.sums.select([]);this.sums.setColumns(sumColumns(
by,this.blame.total),sumRows(this.blame,by));if(changed)this.sums.sortByColumn("total")}jump({culprit,group}){if(group)return this.jumps.to(group.longest.threadKey,
group.longest.from,group.longest.to);const thread=culprit&&this.foremost(culprit.threadKey,culprit.pool);if(thread)this.jumps.seek({others:[thread]},{threads:[thread]});else if(this.
blame?.waiters[0]){const{longest}=this.blame.waiters[0];this.jumps.to(longest.threadKey,longest.from,longest.to)}}foremost(key,pool){return key??this.blame?.threads.
find(row=>row.threadKey&&row.pool===pool)?.threadKey}};var MANY=10;function leading(blame){const{threads,pools}=blame;return threads.length>MANY&&2*pools.length<=
threads.length?"pools":"threads"}function processesOf({sessions}){if(sessions.length<2)return null;const times2=new Map;for(const{process}of sessions)times2.set(process,(times2.get(process)??0)+
1);return new Map(sessions.map(({index,process},i)=>{if(process==="")return[index,`recording ${i+1}`];return[index,times2.get(process)>1?`${process}, no. ${i+1}`:
process]}))}function globFits(glob,text){const g=[...glob.toLowerCase()];const t=[...text.toLowerCase()];let i=0;let star=-1;let resume=0;for(let j=0;j<t.length;){if(g[i]===
"*"){star=i++;resume=j}else if(i<g.length&&(g[i]==="?"||g[i]===t[j])){i++;j++}else if(star>=0){i=star+1;j=++resume}else return false}while(g[i]==="*")i++;return i===
g.length}function isGlob(text){return/[*?]/.test(text)}var Filter=class{constructor(applied){this.applied=applied;this.table=new Table2({name:"filter",label:"Threads",columns:columnsOf(false),key:row=>String(row.key),
sort:"key",ascending:true,select:"checks",search:false,unit:["thread","threads"],accept:row=>this.accepts(row),selected:()=>this.say()});this.apply=button("Appl\
y",()=>this.done(),{class:"primary"});this.pattern.addEventListener("input",()=>{this.table.refresh();this.say()});this.pattern.addEventListener("keydown",event=>{
if(event.key==="Enter")this.done()});this.dialog.append(this.head(),this.tools(),this.table.root,this.foot());document.body.append(this.dialog)}applied;dialog=element(
"dialog",{class:"filter","aria-labelledby":"filter-title"});table;pattern=element("input",{type:"search","aria-label":"Search threads",placeholder:"Search, or a\
 pattern such as worker-*",spellcheck:"false",class:"filter-search"});count=element("span",{role:"status",class:"filter-count"});apply;rows=[];open(about,shown){
this.rows=rowsOf2(about);this.pattern.value="";this.table.setColumns(columnsOf(about.sessions.length>1));this.table.select([...shown].map(String));this.table.setRows(
this.rows);this.say();this.dialog.showModal();this.pattern.focus()}destroy(){this.dialog.remove()}head(){return element("div",{class:"dialog-head"},element("h2",
{id:"filter-title"},"Threads to show"),button("✕",()=>this.dialog.close(),{class:"quiet","aria-label":"Close"}))}tools(){return element("div",{class:"dialog-t\
ools"},this.pattern,button("Select all",()=>this.choose(()=>true),{title:"choose every thread that the search finds"}),button("Select none",()=>this.choose(()=>false),
{title:"choose none of those that the search finds"}),button("Invert",()=>this.choose(key=>!this.table.selection.has(key)),{title:"of those that the search find\
s"}),button("Only these",()=>this.onlyFound(),{title:"choose what the search finds, and nothing else"}))}foot(){return element("div",{class:"dialog-foot"},this.
count,button("Cancel",()=>this.dialog.close()),this.apply)}accepts(row){const wanted=this.pattern.value.trim().toLowerCase();if(wanted==="")return true;const fits=isGlob(
wanted)?text=>globFits(wanted,text):text=>text.toLowerCase().includes(wanted);return fits(row.name)||fits(row.id)||fits(row.group)}choose(wanted){const chosen=new Set(
this.table.selection);for(const row of this.table.rowsInSight){const key=String(row.key);if(wanted(key))chosen.add(key);else chosen.delete(key)}this.table.select(
chosen);this.say()}onlyFound(){this.table.select(this.table.rowsInSight.map(row=>String(row.key)));this.say()}say(){const chosen=this.table.selection.size;this.
count.textContent=chosen===0?"Choose at least one thread.":`${count(chosen)} of ${count(this.rows.length)} threads will be shown.`;this.apply.disabled=chosen===
0}done(){if(this.apply.disabled)return;this.dialog.close();this.applied(this.rows.filter(row=>this.table.selection.has(String(row.key))).map(row=>row.key))}};function rowsOf2(about){
const t=about.threads;const processes=processesOf(about);return t.key.map((key,i)=>({key,name:t.name[i],id:t.id[i],group:t.group[i],process:processes?.get(t.session[i])??
"",times:t.times[i],path:t.path[i]??0}))}function columnsOf(processes){const time=(state,label,...also)=>durationColumn(`state-${state}`,label,row=>also.reduce(
(sum,other)=>sum+row.times[other],row.times[state]));return[{...textColumn("name","Thread",200,row=>row.name||"(no name)"),grows:true,cell:row=>named(row.name||
"(no name)")},{...textColumn("id","Id",64,row=>row.id),number:true,order:row=>Number(row.id)||row.id},textColumn("group","Group",130,row=>row.group),...processes?
[textColumn("process","Process",110,row=>row.process)]:[],time(RUNNING,"RUNNABLE"),time(WAITING,"Waited",TIMED_WAITING,PARKED,IN_IO),time(BLOCKED,"BLOCKED"),time(
JOINING,"JOINING"),time(SLEEPING,"SLEEPING"),time(DEADLOCKED,"DEADLOCKED"),durationColumn("path","On path",row=>row.path,"time of the critical path that runs th\
rough the thread"),{...countColumn("key","No.",row=>row.key,"the thread's number, in the order of the trace"),width:52}]}var PARTS=2e3;var LANES=128;var SPLITS=[1,16];function shortest(about,lanes){return resolutionOf(about,splitsOf(lanes).at(-1))}function splitsOf(lanes){return lanes<=
4*LANES?SPLITS:SPLITS.slice(0,1)}function resolutionOf(about,windows){return Math.max(1,Math.ceil(about.duration/windows/PARTS))}async function longestSpan(source,about,threads,sought){
const whole=source.whole();if(whole)return longestOf(whole,about,threads==="all"?null:new Set(threads),sought);const keys=threads==="all"?about.threads.key:threads,
among=sought.threads;const lanes=among?keys.filter(key=>among.includes(key)):keys;for(const windows of splitsOf(lanes.length)){let best=null;for(let at=0;at<lanes.
length;at+=LANES){for(let i=0;i<windows;i++){const window2=await source.window(lanes.slice(at,at+LANES),about.duration*i/windows,about.duration*(i+1)/windows,resolutionOf(
about,windows));best=longer(best,longestOf(window2,about,null,sought))}}if(best)return best}return null}function longer(a,b){return a&&b&&b.to-b.from>a.to-a.from?
b:a??b}function longestOf(window2,about,shown,sought){const names=placesByKey(about.threads);let best=null;for(const lane of window2.lanes){if(shown&&!shown.has(
lane.thread))continue;const name=threadName(about.threads,names.get(lane.thread)).toLowerCase();best=longer(best,longestIn(lane,window2,sought,name))}return best}
function longestIn(lane,{places},sought,name){if(sought.threads&&!sought.threads.includes(lane.thread))return null;const{spans}=lane,named2=sought.text!==void 0&&
name.includes(sought.text);let best=-1,length=-1;for(let row=0;row<spans.count;row++){const lasts=spans.end[row]-spans.start[row];if(lasts<=length||spans.state[row]===
RUNNING&&!sought.states)continue;if(named2||has(lane,row,places,sought))[best,length]=[row,lasts]}if(best>=0)return{thread:lane.thread,event:valueOf(spans.event,
best),from:spans.start[best],to:spans.end[best]};return named2&&spans.count>0?{thread:lane.thread,event:null,from:spans.start[0],to:spans.end[0]}:null}function has({
spans},row,places,sought){const monitor=places.objects[valueOf(spans.object,row)-1];const frame=places.frames[valueOf(spans.caller,row)-1];const other=places.frames[valueOf(
spans.otherCaller,row)-1];if(sought.states&&!sought.states.includes(spans.state[row]))return false;if(sought.others&&!sought.others.includes(valueOf(spans.other,
row)))return false;if(sought.object!==void 0&&monitor?.[0]!==sought.object)return false;if(sought.className!==void 0&&declaredClass(monitor?.[1]??"")!==sought.className)
return false;if(sought.place!==void 0&&(frame?caller(frame):"")!==sought.place)return false;if(sought.otherPlace!==void 0&&(other?caller(ownPlace(other)):"")!==
sought.otherPlace)return false;if(sought.text===void 0)return true;return monitor!==void 0&&(object(monitor)+className(monitor[1])).toLowerCase().includes(sought.
text)||frame!==void 0&&caller(frame).toLowerCase().includes(sought.text)}function keysOf2(about,thread){const{key,id,name,session}=about.threads;if(!thread.threadId)
return[0];return key.filter((_,place)=>id[place]===thread.threadId&&name[place]===thread.name&&session[place]===(thread.session??0))}var GROUPINGS2=[["sites","By site"],["classes","By class"]];var FEW_SAMPLES=10;function allocationColumns({facts,classes},by){const{sampled,weighted,followed}=facts,
aged=classes.some(({age})=>age!==void 0);const columns=[by==="sites"&&{...textColumn("place","Allocated at",360,row=>row.place??""),grows:true},{...textColumn("\
class","Class",240,row=>row.class),grows:by==="classes"},bytesColumn("bytes","Allocated",row=>row.allocated.bytes,"bytes of the objects allocated"),sampled&&bytesColumn(
"error","±",row=>row.allocatedError?.bytes??0,"standard error of the bytes"),!weighted&&sumColumn("objects","Objects",({allocated})=>allocated,"objects allocat\
ed"),sampled&&samplesColumn(),followed&&bytesColumn("live","Live",row=>row.live?.bytes??0,"bytes that live at the end"),followed&&sumColumn("liveObjects","Live \
objects",({live})=>live,"objects that live at the end"),followed&&bytesColumn("freed","Freed",row=>row.freed?.bytes??0,"bytes of the objects freed"),!weighted&&
bytesColumn("largest","Largest",row=>row.largest??0,"the largest object"),aged&&ageColumn()];return columns.filter(column=>column!==false)}function sumColumn(id,label,of,explain){
return countColumn(id,label,row=>of(row)?.count??0,explain)}function samplesColumn(){return{id:"samples",label:"Samples",width:70,number:true,explain:`* fewer t\
han ${FEW_SAMPLES} samples: the estimate says little`,order:row=>row.samples??0,text:({samples=0})=>count(samples)+(samples<FEW_SAMPLES?" *":"")}}function ageColumn(){
return{id:"age",label:"Age",width:60,number:true,explain:"collections that the objects survived, on average",order:row=>row.age?.mean??0,text:row=>row.age?row.age.
mean.toFixed(1):""}}function collectionRows({from,to,paused,used,total,name}){return from.map((begin,i)=>({from:begin,to:to[i],paused:paused[i],used:used[i],total:total[i],
name:name[i]}))}function collectionColumns(){return[{...textColumn("name","Collection",260,({name})=>name||"(collector unknown)"),grows:true},{id:"from",label:"\
Began",width:110,number:true,order:({from})=>-from,text:({from})=>moment(from)},durationColumn("paused","Pause",({paused})=>paused,"how long the JVM was stopped"),
durationColumn("length","Length",({from,to})=>to-from,"from its begin to its end"),bytesColumn("used","Used after",({used})=>used,"bytes of the heap in use afte\
r it"),bytesColumn("total","Heap",({total})=>total,"size of the heap after it")]}function classColumns(){return[{...textColumn("class","Class",320,row=>row.class),
grows:true},countColumn("count","Objects",row=>row.count),bytesColumn("bytes","Bytes",row=>row.bytes,"of its objects"),bytesColumn("largest","Largest",row=>row.
largest,"its largest object"),bytesColumn("retained","Retained",row=>row.retained,"what at least one of its objects retains")]}function collectionText({name,paused,
from,used}){const after=used>0?`, ${size(used)} in use after it`:"";return`Garbage collection${name?` (${name})`:""} at ${moment(from)}: pause ${duration(paused)}${after}`}function ticksOf(from,perPixel,apart=110){const least=Math.max(1,perPixel*apart),power=10**Math.floor(Math.log10(least));const step=[1,2,5,10].map(factor=>factor*
power).find(candidate=>candidate>=least)??10*power;return{first:Math.ceil(from/step)*step,step}}function drawAxis(context,from,perPixel,width,height,palette){const{
first:first2,step}=ticksOf(from,perPixel);context.fillStyle=palette.css.background;context.fillRect(0,0,width,height);context.font="11px system-ui, sans-serif";
context.textBaseline="middle";for(let i=0;first2+i*step<=from+width*perPixel;i++){const time=first2+i*step,x3=Math.round((time-from)/perPixel)+.5;context.fillStyle=
palette.css.line;context.fillRect(x3-.5,height-7,1,7);context.fillStyle=palette.css.faint;const text=time===0?"0":moment(time,step);if(x3+4+context.measureText(
text).width<=width)context.fillText(text,x3+4,height/2)}}var WIDTH2=1e3;var HEIGHT2=180;var LEFT=66;var BOTTOM=20;var TOP=8;var Curve=class{root=element("figure",{class:"heap-curve"});show(collections,rows,followed,length){
const lines=linesOf(collections,followed),most=mostOf(lines);const picture=drawing("svg",{viewBox:`0 0 ${WIDTH2} ${HEIGHT2}`,role:"img","aria-label":descriptionOf(
lines)},...scale(most),...times(length),...rows.map(row=>band(row,length)),...lines.map(line=>curve(line,length,most)));const legend=element("figcaption",{class:"\
heap-legend"},...lines.map(({name,className:className2})=>element("span",{class:className2},name)),element("span",{class:"heap-pause"},"pause of the JVM"));replace(
this.root,picture,legend)}};function linesOf({to,used,total,live,pause},followed){const whole=pause.some(is=>!is),counts=i=>!whole||!pause[i];const points=bytes2=>to.
map((time,i)=>[time,bytes2[i]]).filter(([,value],i)=>value>0&&counts(i));const lines=[{name:"size of the heap",className:"heap-total",points:points(total)},{name:"\
in use after the collection",className:"heap-used",points:points(used)},{name:"recorded objects that live",className:"heap-live",points:followed?points(live):[]}];
return lines.filter(line=>line.points.length>0)}function mostOf(lines){return Math.max(1,...lines.map(line=>line.points.reduce((most,[,bytes2])=>Math.max(most,bytes2),
0)))}function descriptionOf(lines){const parts=lines.map(({name,points})=>{const last=points[points.length-1];return`${name}: ${size(mostOf([{name,className:"",
points}]))} at most, ${size(last[1])} at last`});return`Bytes after each garbage collection; ${parts.join("; ")}`}function x2(time,length){return LEFT+(WIDTH2-LEFT)*
Math.min(Math.max(time,0),length)/Math.max(length,1)}function y(bytes2,most){return HEIGHT2-BOTTOM-(HEIGHT2-BOTTOM-TOP)*bytes2/most}function curve({className:className2,
points},length,most){const at=points.map(([time2,bytes3])=>`${x2(time2,length).toFixed(1)},${y(bytes3,most).toFixed(1)}`);if(at.length>1)return drawing("polylin\
e",{class:className2,points:at.join(" ")});const[[time,bytes2]]=points;return drawing("circle",{class:className2,cx:x2(time,length),cy:y(bytes2,most),r:3})}function band(row,length){
const left=x2(row.from,length),right=x2(row.from+Math.max(row.paused,0),length);return drawing("rect",{class:"heap-pause",x:left.toFixed(1),y:TOP,width:Math.max(
1,right-left).toFixed(1),height:HEIGHT2-BOTTOM-TOP},drawing("title",{},collectionText(row)))}function scale(most){return[0,most/2,most].flatMap(bytes2=>[drawing(
"line",{class:"heap-grid",x1:LEFT,x2:WIDTH2,y1:y(bytes2,most),y2:y(bytes2,most)}),drawing("text",{x:LEFT-6,y:y(bytes2,most)+4,"text-anchor":"end"},size(bytes2))])}
function times(length){const{first:first2,step}=ticksOf(0,length/(WIDTH2-LEFT)),texts=[];for(let time=first2;time<length*.97;time+=step)texts.push(drawing("text",
{x:x2(time,length),y:HEIGHT2-4},time===0?"0":moment(time,step)));return texts}function dominatorTree(dump){const root2={index:-1,label:"all that roots reach",node:null,retained:dump.bytes,depth:0,above:null,children:[]};const all=[];dump.
nodes.forEach((node,index)=>{const above=all[node.above]??root2;const made={index,label:node.object,node,retained:node.retained,depth:above.depth+1,above,children:[]};
above.children.push(made);all.push(made)});return root2}function restOf({node,retained,children}){return Math.max(0,retained-(node?.bytes??0)-children.reduce((sum,child)=>sum+
child.retained,0))}var SPARE=300;var DominatorTree=class{constructor(chose){this.chose=chose;const heads=["Object","Retained","Share","Bytes","Dominates"].map((label,i)=>element("\
th",{scope:"col",class:i>0?"number":void 0},label));this.root.append(element("table",{role:"treegrid","aria-label":"Dominator tree"},element("thead",{},element(
"tr",{},...heads)),this.body));this.body.addEventListener("click",event=>this.clicked(event));this.body.addEventListener("keydown",event=>this.key(event))}chose;root=element(
"div",{class:"dominators"});tools=element("div",{class:"table-tools"});body=element("tbody");opened=new Set;tree=null;selected=null;rows=[];show(tree){this.tree=
tree;this.opened.clear();this.selected=tree.children[0]??null;this.draw()}select(node){for(let at=node.above;at;at=at.above)this.opened.add(at);this.selected=node;
this.draw();this.rowOf(node)?.scrollIntoView({block:"nearest"})}draw(){if(!this.tree)return;const had=this.body.contains(document.activeElement);this.rows=[];const made=[];
this.list(this.tree,made);replace(this.body,...made);if(had&&this.selected)this.rowOf(this.selected)?.focus()}list(above,made){for(const node of above.children.
slice(0,SPARE)){this.rows.push(node);made.push(this.row(node,this.rows.length-1));if(this.opened.has(node))this.list(node,made)}const left=above.children.slice(
SPARE).reduce((sum,{retained})=>sum+retained,restOf(above));if(left>0)made.push(this.rest(above,left))}row(node,at){const opens=node.children.length>0,open2=this.
opened.has(node),{bytes:bytes2,children}=node.node;const name=element("td",{role:"gridcell"},opens?button(open2?"▾":"▸",()=>this.toggle(node),{class:"twist",
tabindex:-1,"aria-hidden":"true"}):element("span",{class:"twist"}),named(node.label));name.style.paddingLeft=`${4+16*Math.min(node.depth-1,40)}px`;const cell=text=>element(
"td",{role:"gridcell",class:"number"},text);return element("tr",{"aria-level":node.depth,"aria-expanded":opens?String(open2):void 0,"data-at":at,"aria-selected":String(
node===this.selected),tabindex:node===this.selected?0:-1},name,cell(size(node.retained)),cell(share(node.retained,this.tree.retained)),cell(size(bytes2)),cell(children>
0?count(children):""))}rest(above,bytes2){const name=element("td",{role:"gridcell"},"smaller objects, which are not here");name.style.paddingLeft=`${22+16*Math.
min(above.depth,40)}px`;return element("tr",{class:"rest","aria-level":above.depth+1},name,element("td",{role:"gridcell",class:"number"},size(bytes2)),element("\
td",{role:"gridcell",class:"number"},share(bytes2,this.tree.retained)),element("td"),element("td"))}toggle(node){if(node.children.length===0)return;if(!this.opened.
delete(node))this.opened.add(node);this.draw()}choose(node){this.selected=node;this.draw();this.rowOf(node)?.focus();this.chose(node)}rowOf(node){return this.body.
querySelector(`tr[data-at="${this.rows.indexOf(node)}"]`)}clicked(event){if(!(event.target instanceof Element)||event.target.closest("button"))return;const row=event.
target.closest("tr[data-at]");if(row)this.choose(this.rows[Number(row.dataset.at)])}key(event){const{selected:node}=this,at=node?this.rows.indexOf(node):-1;if(!node||
event.ctrlKey||event.metaKey||event.altKey)return;const open2=this.opened.has(node);if(event.key==="Enter"||event.key===" ")this.toggle(node);else if(event.key===
"ArrowRight"&&!open2)this.toggle(node);else if(event.key==="ArrowLeft"&&open2)this.toggle(node);else if(event.key==="ArrowLeft"&&node.above?.node)this.choose(node.
above);else if(event.key==="ArrowDown"&&this.rows[at+1])this.choose(this.rows[at+1]);else if(event.key==="ArrowUp"&&this.rows[at-1])this.choose(this.rows[at-1]);else
return;event.preventDefault();event.stopPropagation()}};var LEAST=4;var LEVELS=3;var HEAD=.06;var Treemap=class{constructor(chose){this.chose=chose;this.root.addEventListener("keydown",event=>this.key(event))}chose;root=element(
"div",{class:"treemap",role:"tree","aria-label":"Treemap of retained bytes"});tools=element("div",{class:"table-tools"});tree=null;shown=null;boxes=[];show(tree){
this.tree=tree;this.fill(tree)}select(node){this.fill(node.children.length>0||!node.above?node:node.above)}fill(node){const had=this.root.contains(document.activeElement);
this.shown=node;this.boxes=[];this.draw(node,{left:0,top:0,width:1,height:1},0);replace(this.root,...this.boxes);if(had)this.boxes[0]?.focus()}draw(node,box,level){
this.boxes.push(this.box(node,box,level));if(level===LEVELS)return;const head2=Math.min(HEAD,box.height/4);const inside={left:box.left+.003,top:box.top+head2,width:box.
width-.006,height:box.height-head2-.008};if(inside.width<=0||inside.height<=0)return;const total=Math.max(node.retained,1);for(const[child,part]of squarified(node.
children,total,inside)){if(part.width*1e3<LEAST||part.height*1e3<LEAST)break;this.draw(child,part,level+1)}}box(node,{left,top,width,height},level){const text=`${node.
label}: retains ${size(node.retained)}, ${share(node.retained,this.tree.retained)}`;const made=element("div",{class:"treemap-box",role:"treeitem","aria-level":level+
1,"aria-label":tooltip(text),title:tooltip(text),tabindex:level===0?0:-1},width>.04&&height>.05&&element("bdi",{dir:"auto","aria-hidden":"true"},tooltip(node.label)));
made.style.left=`${100*left}%`;made.style.top=`${100*top}%`;made.style.width=`${100*width}%`;made.style.height=`${100*height}%`;made.style.setProperty("--node",
level===0?"var(--line)":`var(--part-${Math.max(node.index,0)%8})`);made.addEventListener("click",()=>this.act(node));return made}act(node){const out=node===this.
shown&&node.above!==null;this.select(out?node.above:node);if(!out&&node.node)this.chose(node)}key(event){const at=this.boxes.indexOf(document.activeElement);if(at<
0||event.ctrlKey||event.metaKey||event.altKey)return;if(event.key==="Enter"||event.key===" ")this.boxes[at].click();else if(event.key==="ArrowRight"||event.key===
"ArrowDown")this.boxes[at+1]?.focus();else if(event.key==="ArrowLeft"||event.key==="ArrowUp")this.boxes[at-1]?.focus();else if(event.key==="Escape"&&this.shown?.
above)this.fill(this.shown.above);else return;event.preventDefault();event.stopPropagation()}};function squarified(nodes,total,within3){const laid=[],unit=within3.
width*within3.height/total;let{left,top,width,height}=within3,next=0;while(next<nodes.length&&width>0&&height>0){const short=Math.min(width,height);let end=next+
1,sum=nodes[next].retained*unit;for(;end<nodes.length;end++){const wider=sum+nodes[end].retained*unit;if(worst(nodes,next,end+1,wider,short,unit)>worst(nodes,next,
end,sum,short,unit))break;sum=wider}const thick=sum/short;let at=0;for(const node of nodes.slice(next,end)){const long=thick>0?node.retained*unit/thick:0;laid.push(
[node,width>=height?{left,top:top+at,width:thick,height:long}:{left:left+at,top,width:long,height:thick}]);at+=long}if(width>=height)[left,width]=[left+thick,width-
thick];else[top,height]=[top+thick,height-thick];next=end}return laid}function worst(nodes,from,to,sum,short,unit){const largest=nodes[from].retained*unit,least=nodes[to-
1].retained*unit,square=short*short;if(least<=0||sum<=0)return Infinity;return Math.max(square*largest/(sum*sum),sum*sum/(square*least))}var HeapTab=class{constructor(root2,source,about,window2){this.source=source;this.about=about;const show=({from,to})=>window2(from-3*(to-from),to+3*(to-from));this.
collections=new Table2({name:"heap.collections",label:"Garbage collections",columns:collectionColumns(),key:row=>`${row.from}`,sort:"paused",select:"one",unit:[
"collection","collections"],open:show,show});this.allocations=new Table2({name:"heap.allocations",label:"Allocations",columns:[],sort:"bytes",unit:["row","rows"],
key:row=>`${row.class} ${row.place??""}`});this.flames=new Icicle({label:"Flame graph of allocations",root:"all allocations",of:"of the bytes",amount:size,colour:({
depth,children})=>depth===0?"var(--line)":children.length>0?"var(--part-0)":"var(--part-1)"});this.classes=new Table2({name:"heap.classes",label:"Objects by cla\
ss",columns:classColumns(),key:row=>row.class,sort:"bytes",unit:["class","classes"]});root2.classList.add("heap");root2.append(this.state,this.content)}source;about;state=element(
"p",{class:"panel-state",role:"status"});content=element("div",{class:"heap-content",hidden:true});curve=new Curve;collections;allocations;flames;classes;map=new Treemap(
node=>this.choose(node,"map"));tree=new DominatorTree(node=>this.choose(node,"tree"));path=element("div",{class:"root-path",role:"status"});heap=null;by="sites";shown="";update(){
const now=`${this.about.events} ${this.about.live}`;if(this.shown===now)return;this.shown=now;void this.load()}grown(about){this.about=about}print(printing){for(const table2 of[
this.collections,this.allocations,this.classes])table2.print(printing)}async load(){this.state.textContent=this.heap?"":"Computing the heap …";try{const heap=await this.
source.heap();this.state.textContent="";this.state.classList.remove("failed");this.content.hidden=false;this.show(heap);this.heap=heap}catch(failure){this.shown=
"";this.state.textContent=`The heap cannot be shown: ${messageOf(failure)}`;this.state.classList.add("failed")}}show(heap){const sections=[...this.collected(heap),
...this.allocated(heap),...heap.dump?this.dumped(heap.dump):[]];replace(this.content,...sections);if(sections.length===0)this.state.textContent="The trace has n\
othing of the heap so far."}collected({allocations}){const{collections,facts}=allocations,rows=collectionRows(collections);if(rows.length===0)return[];this.curve.
show(collections,rows,facts.followed,this.about.duration);this.collections.setRows(rows);const left=collections.omitted>0?`${count(collections.omitted)} more ar\
e not here.`:"";return[section("The heap over time","",{root:this.curve.root,tools:element("div")}),section("Garbage collections",left,this.collections)]}allocated({
allocations}){if(allocations.classes.length===0)return[];const choice=new Choice("Sums of allocations",GROUPINGS2,this.by,by=>{this.by=by;this.group(allocations)});
this.group(allocations);this.flames.show(allocations.samples);return[remarksOf(allocations.headline,allocations.remarks),section("Who allocates",omittedText(allocations.
omitted),this.allocations,choice.root),section("Flame graph of allocations","From the outermost call to the class of the objects.",this.flames)]}group(allocations){
this.allocations.setColumns(allocationColumns(allocations,this.by),allocations[this.by])}dumped(dump){const tree=dominatorTree(dump),first2=tree.children[0];this.
tree.show(tree);this.map.show(tree);this.classes.setRows(dump.classes);if(first2)this.explain(first2);const left=dump.classesOmitted?`${counted(dump.classesOmitted,
"class","classes")} more are not here.`:"";const most=`The ${counted(dump.nodes.length,"object")} that retain most: what would become unreachable without them.`;
return[remarksOf(dump.headline,dump.remarks),section("What retains most",most,this.tree),section("Why it is still there","The shortest path from a root.",{root:this.
path,tools:element("div")}),section("Treemap","A box is as large as what its object retains. A click zooms.",this.map),section("Objects by class",left,this.classes)]}choose(node,where){
if(where==="map")this.tree.select(node);else this.map.select(node);this.explain(node)}explain({label,node}){const path=node?.path;if(!path){const id=label.slice(
label.lastIndexOf(" ")+1);return replace(this.path,element("p",{},named(label),`: trcx heap --path ${id} prints the path.`))}const steps=path.steps.map(({object:object2,
bytes:bytes2})=>element("li",{},named(object2),element("span",{class:"bytes"},size(bytes2))));if(path.omitted)steps.splice(steps.length/2,0,element("li",{class:"\
left-out"},`… ${count(path.omitted)} more …`));replace(this.path,element("ol",{},element("li",{class:"root"},path.root||"a root"),...steps))}};function remarksOf(headline,remarks){
return element("div",{class:"heap-remarks"},element("p",{class:"path-verdict"},headline),...(remarks??[]).map(remark=>element("p",{class:"section-hint"},remark)))}
function omittedText(omitted){return omitted?.sites?`${counted(omitted.sites,"site")} with less are not here.`:""}var MOUSE=[["Ctrl + wheel, or wheel on the time axis","Zoom in and out at the pointer"],["Shift + wheel, or wheel sideways","Move in time"],["Wheel","Scroll thr\
ough the threads"],["Drag","Move in time, and scroll through the threads"],["Shift + drag, or drag on the time axis","Zoom to what is marked"],["Click","Select;\
 a sum of short intervals is zoomed into"],["Double-click","Zoom to the interval"],["Drag on the overview","Move or resize the window; double-click: the whole t\
race"]];var STILL=4;function listenToWheel(target,onAxis,gestures){target.addEventListener("wheel",event=>{const unit=event.deltaMode===WheelEvent.DOM_DELTA_LINE?
20:event.deltaMode===WheelEvent.DOM_DELTA_PAGE?400:1;const x3=event.deltaX*unit,y2=event.deltaY*unit;const zooms=event.ctrlKey||event.metaKey||onAxis,sideways=event.
shiftKey||Math.abs(x3)>Math.abs(y2);if(!zooms&&!sideways){if(gestures.scrollBy(y2))event.preventDefault();return}event.preventDefault();if(!zooms)return gestures.
view.pan((event.shiftKey&&x3===0?y2:x3)*gestures.perPixel());const at=gestures.view.from+(event.clientX-target.getBoundingClientRect().left)*gestures.perPixel();
gestures.view.zoom(Math.exp(Math.max(-240,Math.min(240,y2))*.0022),at)},{passive:false})}function listenToPointer(target,onAxis,gestures){target.addEventListener(
"pointerdown",event=>{if(event.button!==0)return;const box=target.getBoundingClientRect(),x3=event.clientX-box.left;if(onAxis||event.shiftKey)mark(target,event,
gestures,box.left,x3);else move(target,event,gestures)});target.addEventListener("dblclick",event=>{const box=target.getBoundingClientRect();if(!onAxis)gestures.
doubleClick(event.clientX-box.left,event.clientY-box.top)});if(onAxis)return;target.addEventListener("pointermove",event=>{const box=target.getBoundingClientRect();
if(event.buttons===0)gestures.point(event.clientX-box.left,event.clientY-box.top,event)});target.addEventListener("pointerleave",()=>gestures.leave())}function mark(target,start,gestures,left,x3){
const timeAt=at=>gestures.view.from+at*gestures.perPixel();let range=null;drag(target,start,event=>{const at=event.clientX-left;range=Math.abs(at-x3)<STILL?null:
[timeAt(Math.min(x3,at)),timeAt(Math.max(x3,at))];gestures.range(range)},()=>{gestures.range(null);if(range)gestures.view.set(range[0],range[1])})}function move(target,start,gestures){
let last=start,moved=false;drag(target,start,event=>{if(!moved&&Math.hypot(event.clientX-start.clientX,event.clientY-start.clientY)<STILL)return;moved=true;target.
classList.add("dragged");gestures.leave();gestures.view.pan((last.clientX-event.clientX)*gestures.perPixel());gestures.scrollBy(last.clientY-event.clientY);last=
event},cancelled=>{target.classList.remove("dragged");const box=target.getBoundingClientRect();if(!moved&&!cancelled)gestures.click(start.clientX-box.left,start.
clientY-box.top)})}function drag(target,start,moved,ended){const stop=new AbortController;target.setPointerCapture(start.pointerId);target.addEventListener("poi\
ntermove",moved,{signal:stop.signal});for(const name of["pointerup","pointercancel"]){target.addEventListener(name,()=>{stop.abort();ended(name==="pointercancel")},
{signal:stop.signal})}}var presses=[[["ArrowLeft"],"←","Earlier (with Shift by a whole window)",({pan},shift)=>pan(shift?-1:-.1)],[["ArrowRight"],"→","Later (with Shift by a whole\
 window)",({pan},shift)=>pan(shift?1:.1)],[["a"],"A","Earlier, as in Perfetto",({pan})=>pan(-.1)],[["d"],"D","Later",({pan})=>pan(.1)],[["w"],"W","Zoom in",commands=>commands.
zoom(1/1.5)],[["s"],"S","Zoom out",commands=>commands.zoom(1.5)],[["ArrowUp"],"↑","The lane above",commands=>commands.lane(-1)],[["ArrowDown"],"↓","The lane\
 below",commands=>commands.lane(1)],[["PageUp"],"Page up","A page of lanes up",commands=>commands.page(-1)],[["PageDown"],"Page down","A page of lanes down",commands=>commands.
page(1)],[["+","="],"+","Zoom in",commands=>commands.zoom(1/1.5)],[["-","_"],"−","Zoom out",commands=>commands.zoom(1.5)],[["0"],"0","The whole trace",commands=>commands.
whole()],[["Home"],"Home","The start of the trace",commands=>commands.edge(false)],[["End"],"End","The end of the trace",commands=>commands.edge(true)],[["["],"\
[","The event before in the lane",commands=>commands.step(-1)],[["]"],"]","The next event in the lane",commands=>commands.step(1)],[["Enter"," "],"Enter","Selec\
t what is in the lane at the middle of the window, or nearest to it; again: go to the details",commands=>commands.select()],[["Escape"],"Esc","Nothing is select\
ed (in the details too)",commands=>commands.clear()],[["Backspace"],"Backspace","Back to the window before (with Shift forward)",(commands,shift)=>shift?commands.
forward():commands.back()],[["?"],"?","Help",commands=>commands.help()]];var KEYS=presses.map(([,shown,does])=>[shown,does]);function listenToKeys(target,commands){
target.addEventListener("keydown",event=>{if(event.ctrlKey||event.metaKey||event.altKey)return;const press=presses.find(([keys])=>keys.includes(event.key));if(!press)
return;event.preventDefault();press[3](commands,event.shiftKey)})}var PAGE=[["1 2 3 4 5 6","contention, timeline, monitor statistics, critical path, methods, heap"],["← → Home End","on a tab: the other tabs"],["/","find a \
thread, class, monitor or place in the timeline"],["f","choose threads"],["g","thread groups on and off"],["?","this help"],["Esc","closes a dialog"]];var TABLES=[
["Enter or Space on a heading","sorts by the column; again: the other way round"],["Shift + ← →, on a heading","makes the column narrower or wider"],["↑ ↓ P\
gUp PgDn Home End","on a row: goes to other rows and selects them"],["Shift + ↑ ↓","selects several rows"],["Ctrl + ↑ ↓, then Space","adds single rows t\
o the selection, or removes them"],["Ctrl + A, Esc","selects all rows, none"],["Enter, double click","on a row: shows its longest wait, or the piece of the path\
, in the timeline"]];var Help=class{dialog;constructor(){this.dialog=element("dialog",{class:"help","aria-labelledby":"help-title"},element("div",{class:"dialog\
-head"},element("h2",{id:"help-title"},"Keys and pointer"),button("✕",()=>this.dialog.close(),{class:"quiet","aria-label":"Close"})),element("div",{class:"hel\
p-lists"},list("Everywhere",PAGE),list("Timeline",KEYS),list("Timeline, with the pointer",MOUSE),list("Tables",TABLES)));document.body.append(this.dialog)}open(){
if(!this.dialog.open)this.dialog.showModal()}destroy(){this.dialog.remove()}};function list(title,entries){if(entries.length===0)return null;const rows=entries.
flatMap(([keys,does])=>[element("dt",{},element("kbd",{},keys)),element("dd",{},does)]);return element("section",{},element("h3",{},title),element("dl",{},...rows))}function threadCalls(document2){const{ids,threads,names,thread,name,level,begin,length}=document2;const all=ids.map((id,i)=>({id,title:threads[i]??id,calls:[],levels:0}));
let from=0;thread.forEach((of,i)=>{from+=begin[i];const own=all[of];own.calls.push({name:names[name[i]],level:level[i],from,to:from+length[i]});own.levels=Math.
max(own.levels,level[i]+1)});return all}function callTree({title,calls}){const at=calls[0]?.from??0,end=calls.reduce((last,{to})=>Math.max(last,to),at);const root2={
name:title,total:end-at,depth:0,at,children:[],parent:null};const open2=[root2];for(const{name,level,from,to}of calls){open2.length=Math.min(open2.length,level+
1);const parent=open2.at(-1);const node={name,total:to-from,depth:parent.depth+1,at:from,children:[],parent};parent.children.push(node);open2.push(node)}return root2}var SMALLER="(smaller calls)";function samplesOf(tree,direction){const samples=below(tree,()=>true,()=>false);if(direction==="up")for(const{frames}of samples)frames.
reverse();return samples}function ofBase(tree){const{before,self,total}=tree;return before?{...tree,...before,before:{self,total}}:tree}function aroundMethod(tree,method){
const{names,above,name,total,before}=tree,of=names.indexOf(method);const outermost=new Set,inside=[];const callers=[];let sum=0;above.forEach((parent,i)=>{inside[i]=
(inside[parent]??false)||name[i]===of;if(name[i]!==of||inside[parent])return;outermost.add(i);const frames=[];for(let at=parent;at>=0;at=above[at])frames.push(names[name[at]]);
add(callers,frames,total[i],before?.total[i]);sum+=total[i]});return{callers,callees:below(tree,i=>inside[i],i=>outermost.has(i)),total:sum}}function below(tree,chosen,ends){
const{names,above,name,self,total,before}=tree,rest=restOf2(tree,self,total);const restBefore=before&&restOf2(tree,before.self,before.total);const samples=[];for(let i=0;i<
name.length;i++){if(!chosen(i))continue;const frames=[];for(let at=i;at>=0&&!ends(at);at=above[at])frames.push(names[name[at]]);frames.reverse();add(samples,frames,
self[i],before?.self[i]);add(samples,[...frames,SMALLER],rest[i],restBefore?.[i])}return samples}function restOf2({above},self,total){const rest=[...total];above.
forEach((parent,i)=>{rest[i]-=self[i];if(parent>=0)rest[parent]-=total[i]});return rest}function add(samples,frames,total,before){if(total<=0&&(before??0)<=0)return;
samples.push(before===void 0?{frames,total}:{frames,total,before})}var GROUPINGS3=[["methods","By method"],["classes","By class"],["packages","By package"]];var WIDTHS=[["head","As wide as now"],["base","As wide as before"]];var DIRECTIONS=[
["down","Callers first"],["up","Innermost first"],["time","In time order"]];var MethodsTab=class{constructor(root2,about,ask){this.about=about;this.ask=ask;this.
table=new Table2({name:"methods",label:"Methods",columns:[],sort:"base",unit:["row","rows"],key:keyOf2,select:"one",selected:()=>this.choose()});this.flames=this.
icicle({label:"Flame graph of calls",root:"all calls",of:"of all"});this.callers=this.icicle({label:"Callers",root:"its calls",of:"of its calls",upward:true});this.
callees=this.icicle({label:"Callees",root:"its calls",of:"of its calls"});this.both=element("div",{class:"methods-both",hidden:true},this.callers.tools,this.callers.
root,this.callees.root,this.callees.tools);root2.append(this.state,this.content)}about;ask;state=element("p",{class:"panel-state",role:"status"});content=element(
"div",{hidden:true});table;flames;callers;callees;around=element("p",{class:"section-hint methods-around",role:"status"});both;missing=element("p",{class:"secti\
on-hint"});by="methods";direction="down";width="head";calls=[];thread=element("select",{"aria-label":"Thread of the flame graph",hidden:true});methods=null;asked=false;icicle(options){
return new Icicle({...options,amount:cost=>this.amount(cost),colour:node=>this.colour(node),change:({total,before})=>{const[now,then]=this.width==="base"?[before??
0,total]:[total,before];return then===void 0?"":`; ${this.changed(now,then)}`}})}colour({depth,children,total,before}){if(depth===0)return"var(--line)";if(before===
void 0)return children.length>0?"var(--part-0)":"var(--part-1)";const more=this.width==="base"?before-total:total-before;const strength=Math.round(100*Math.abs(
more)/Math.max(total,before,1));return`color-mix(in srgb, var(${more>0?"--more":"--less"}) ${strength}%, var(--line-strong))`}changed(now,before){if(now===before)
return"as before";return`${this.amount(Math.abs(now-before))} ${now>before?"more":"less"} than before`}open(){if(this.asked)return;this.state.textContent=this.about.
live?"The methods can be shown when the recording has ended.":"";if(this.about.live)return;this.asked=true;void this.load()}grown(about){this.about=about}print(printing){
this.table.print(printing)}signed(change){if(change===0)return"";const size2=Math.abs(change);return(change>0?"+":"−")+(this.methods?.timed===false?count(size2):
duration(size2))}async load(){try{this.show(await this.ask())}catch(failure){this.state.textContent=`The methods cannot be shown: ${messageOf(failure)}`;this.state.
classList.add("failed")}}amount(cost){return this.methods?.timed===false?counted(cost,"sample"):duration(cost)}show(methods){this.methods=methods;const groups=new Choice(
"Sums of methods",GROUPINGS3,this.by,by=>{this.by=by;this.group(methods)});this.calls=methods.calls?threadCalls(methods.calls):[];const possible=DIRECTIONS.filter(
([id])=>id!=="time"||methods.calls);const direct=direction=>{this.direction=direction;this.flame(methods)};const directions=new Choice("Direction of the flame g\
raph",possible,this.direction,direct);const widths=new Choice("Widths of frames",WIDTHS,this.width,width=>{this.width=width;this.flame(methods);this.choose()});
replace(this.thread,...this.calls.map(({title},i)=>element("option",{value:i},clipped(title,80))));this.thread.addEventListener("change",()=>this.flame(methods));
this.group(methods);this.flame(methods);this.choose();this.content.append(element("div",{class:"methods-remarks"},element("p",{class:"path-verdict"},methods.headline),
...(methods.remarks??[]).map(remark=>element("p",{class:"section-hint"},remark)),methods.base&&element("p",{class:"section-hint"},`Compared with: ${methods.base.
headline}`,` Frames are red if they cost more than before, and blue if less.`)),section("Where the time went",omittedText2(methods),this.table,groups.root),section(
"Flame graph of calls","",this.flames,this.missing,directions.root,this.thread,...methods.base?[widths.root]:[]),section("Callers and callees","",{root:element(
"div",{},this.around,this.both),tools:element("div")}));this.content.hidden=false}flame({tree,calls,nodes}){const timed=this.calls[Number(this.thread.value)],left=nodes-
tree.name.length;this.thread.hidden=this.direction!=="time";if(this.direction!=="time"||!timed){this.missing.textContent=left>0?`${counted(left,"node")} that co\
st less are not here by themselves; trcx methods --tree has all.`:"";this.flames.show(samplesOf(this.wide(tree),this.direction==="up"?"up":"down"),this.direction===
"down");return}const omitted=calls?.omitted??0;this.missing.textContent=omitted>0?`${counted(omitted,"call")} that were shorter are not here; trcx methods --flo\
w has all.`:"";this.flames.showTree(callTree(timed),omitted===0,"of the time")}wide(tree){return this.width==="base"?ofBase(tree):tree}choose(){const[key]=this.
table.selection,methods=this.methods;const row=methods?.rows.methods?.find(row2=>keyOf2(row2)===key);this.both.hidden=!methods||!row;if(!methods||!row){this.around.
textContent="Choose a method in the table: its callers are shown above it, and what it called below.";return}const{callers,callees,total}=aroundMethod(this.wide(
methods.tree),row.title);const left=(this.width==="base"?row.before?.total??0:row.total)-total;replace(this.around,named(row.title),`: ${this.amount(total)} fro\
m outermost calls of it on.`+(left>0?` ${this.amount(left)} more are in smaller calls, which are not here by themselves.`:""));this.callers.show(callers);this.callees.
show(callees,true)}group(methods){const cost=(id,label,of,explain)=>({id,label,explain,width:84,number:true,order:of,text:row=>of(row)===0?"":methods.timed?duration(
of(row)):count(of(row))});const name={methods:"Method",classes:"Class",packages:"Package"}[this.by];const columns=[{...textColumn("title",name,360,row=>row.title),
grows:true},{id:"share",label:"Share",explain:"of all base costs",width:130,number:true,order:row=>row.base,text:row=>share(row.base,methods.all),cell:row=>bar(
row.base,methods.all)},cost("base",methods.timed?"Base":"Samples",row=>row.base,"while it was the innermost call"),cost("total",methods.timed?"Cumulative":"In a\
ll",row=>row.total,"with what it called")];if(methods.base)columns.push(cost("before","Before",row=>row.before?.base??0,"its base cost in the run that is compar\
ed"),{id:"change",label:"Change",explain:"of its base cost",width:84,number:true,order:row=>Math.abs(changeOf(row)),text:row=>this.signed(changeOf(row)),cell:row=>element(
"span",{class:changeOf(row)>0?"more":"less"},this.signed(changeOf(row)))});if(methods.timed)columns.push(countColumn("count",methods.counted==="calls"?"Calls":"\
Samples",row=>row.count));this.table.setColumns(columns,methods.rows[this.by]??[])}};function changeOf({base,before}){return base-(before?.base??0)}function keyOf2({
title,class:of,package:within3}){return`${within3} ${of??""} ${title}`}function bar(part,whole){const made=element("span",{class:"methods-bar"},share(part,whole));
made.style.setProperty("--share",`${100*part/Math.max(whole,1)}%`);return made}function omittedText2({omitted}){const{methods=0,classes=0,packages=0}=omitted??{};
const left=[methods&&counted(methods,"method"),classes&&counted(classes,"class","classes"),packages&&counted(packages,"package")].filter(Boolean);return left.length>
0?`${left.join(", ")} with less are not here.`:""}var KINDS2={latency:"woken but not running yet",unknown:"nobody knows who had the lock",pause:"stopped by garbage collections"};var ON_CPU="on a processor";var OFF_CPU="\
ready for a processor";function stateOf(name,about){return Math.max(about.states.findIndex(state=>state.label===name),0)}function usesAs({onCPU,from,to},row){if(onCPU===
void 0||row.name===void 0)return false;return row.name===ON_CPU?onCPU>0:row.name.startsWith(OFF_CPU)&&onCPU<to-from}function threadText(thread){if(thread.threadKey===
void 0)return"";return`${thread.threadName||"(no name)"} (thread ${thread.threadId})`}function callerText(piece){return piece.caller?callerAt(piece.caller):"(ca\
ller unknown)"}function objectText(piece){return piece.objectId===void 0?"":object([piece.objectId,classOf(piece),0])}function ofProcess(row,about){const process=processesOf(
about)?.get(row.session??0);return process===void 0?"":` in ${process}`}function sharesBy(by,path,about){const shares=makers[by](path,about);return shares.sort(
(a,b)=>b.time-a.time)}var makers={threads:path=>(path.shares.threads??[]).map(row=>({id:String(row.threadKey),label:threadText(row),time:row.time,count:row.pieces,
state:null,wait:{},has:piece=>piece.threadKey===row.threadKey})),states:(path,about)=>(path.shares.states??[]).map(row=>{const label=KINDS2[row.kind];return{id:label?
row.kind:String(row.name),label:label??String(row.name),time:row.time,count:row.pieces,state:label?DEAD:stateOf(row.name,about),wait:{},has:piece=>piece.kind===
row.kind&&(label!==void 0||piece.name===row.name||usesAs(piece,row))}}),callers:path=>(path.shares.callers??[]).map(row=>{const label=callerText(row);return{id:label,
label,time:row.time,count:row.pieces,state:null,wait:{},has:piece=>piece.threadKey!==void 0&&callerText(piece)===label}}),waits:(path,about)=>(path.shares.waits??
[]).map(row=>{const state=stateOf(row.name,about);return{id:`${row.name} ${row.objectId??""} ${row.class??""} ${row.session??0}`,label:`${row.name}: ${objectText(
row)||"unknown object"}${ofProcess(row,about)}`,time:row.time,count:row.count,state,wait:waitOf(row),has:null}})};function waitOf({longest,objectId}){return{threads:longest&&
[longest.threadKey],object:objectId}}function whatOf(piece){if(piece.kind==="latency"&&piece.next)return`wakes ${threadText(piece.next)}, not running yet`;const state=KINDS2[piece.
kind]??piece.name??piece.state;return piece.onCPU===void 0?state:`${state}, ${share(piece.onCPU,piece.to-piece.from)} on a processor`}function partText(part,path){
return share(part.time,path.length)}var SHOWN=12;var ShareBar=class{constructor(chose){this.chose=chose}chose;root=element("div",{class:"share-bar",role:"group"});show(label,shares,path,chosen){this.
root.setAttribute("aria-label",label);const parts=shares.slice(0,SHOWN).map((part,i)=>this.part(part,path,i,part.id===chosen));const rest=path.length-shares.slice(
0,SHOWN).reduce((sum,part)=>sum+part.time,0);this.root.replaceChildren(...parts);if(rest>0)this.root.append(this.rest(rest,shares.length>SHOWN))}part(part,path,i,chosen){
const text=`${part.label}: ${duration(part.time)}, ${partText(part,path)}`;const made=element("button",{type:"button",class:"share-part",title:tooltip(text),"ar\
ia-label":tooltip(text),"aria-pressed":String(chosen)},element("bdi",{dir:"auto"},tooltip(part.label)),element("span",{class:"share-percent"},partText(part,path)));
made.style.flexGrow=String(Math.max(part.time,path.length/1e3));made.style.setProperty("--part",partColour(part,i));made.addEventListener("click",()=>this.chose(
part.id));return made}rest(time,others){const text=`${others?"others":"no wait"}: ${duration(time)}`;const made=element("span",{class:"share-part share-rest",title:text},
element("span",{},text));made.style.flexGrow=String(time);return made}};function partColour(part,i){return part.state!==null?`var(--state-${part.state})`:`var(-\
-part-${i%8})`}var BY=[["threads","By thread"],["states","By state"],["callers","By caller"],["waits","By monitor and wait"]];var PathTab=class{constructor(root2,source,about,jumps){
this.source=source;this.about=about;this.jumps=jumps;this.bar=new ShareBar(id=>this.choose(id===this.chosen?null:id));this.shares=new Table2({name:"path.shares",
label:"Shares of the critical path",columns:this.shareColumns(),key:row=>row.id,sort:"time",select:"one",selected:([id])=>this.choose(id??null),show:row=>this.showLongest(
row),unit:["row","rows"],empty:"There is no critical path in this trace."});this.chain=new Table2({name:"path.chain",label:"The chain: pieces of the critical pa\
th",columns:this.chainColumns(),key:row=>String(row.number),sort:"from",ascending:true,select:"one",open:row=>this.go(row),accept:row=>this.accepts(row),unit:["\
piece","pieces"],empty:"There is no critical path in this trace."});const choice=new Choice("Shares",BY,this.by,by=>this.switch(by));this.content.append(element(
"section",{class:"section"},element("div",{class:"section-head"},element("h2",{},"Shares of the path"),choice.root,this.shares.tools),this.bar.root,this.shares.
root),element("section",{class:"section"},element("div",{class:"section-head"},element("h2",{},"The chain"),this.chosenNote,this.chain.tools),this.note,this.chain.
root));root2.classList.add("path");root2.append(this.verdict,this.answer.state,this.content)}source;about;jumps;verdict=element("p",{class:"path-verdict"});note=element(
"p",{class:"section-note",role:"status"});chosenNote=element("p",{class:"section-note",role:"status"});bar;shares;chain;content=element("div",{class:"path-conte\
nt"});answer=new Answer(this.content,"Looking for the path","The critical path cannot be shown",()=>this.source.path(),()=>this.show());by="threads";parts=[];chosen=null;open(){
this.answer.update(this.about)}get path(){return this.answer.document}grown(about){this.about=about}print(printing){this.shares.print(printing);this.chain.print(
printing)}show(){if(!this.path)return;replace(this.verdict,element("bdi",{dir:"auto"},this.path.verdict??""));const omitted=this.path.omitted;this.note.textContent=
omitted&&omitted.pieces>0?`${counted(omitted.pieces,"piece")} of ${duration(omitted.time)} in all ${omitted.pieces===1?"is":"are"} left out: the ${count(this.path.
pieces.length)} longest are shown.`:"";this.chain.setRows((this.path.pieces??[]).map((piece,i)=>({...piece,number:i+1})));this.switch(this.by)}switch(by){this.by=
by;if(!this.path)return;this.parts=sharesBy(by,this.path,this.about);this.shares.setColumns(this.shareColumns());this.shares.select([]);this.shares.setRows(this.
parts);this.choose(null)}choose(id){this.chosen=id;this.shares.select(id===null?[]:[id]);if(this.path)this.bar.show(`Shares of the critical path ${BY.find(([by])=>by===
this.by)?.[1].toLowerCase()??""}`,this.parts,this.path,id);const part=this.parts.find(p=>p.id===id);replace(this.chosenNote,...part?this.chosenText(part):[]);this.
chain.refresh()}chosenText(part){if(!part.has)return["Waits are not on the path: the chain shows what ran meanwhile."];return["Only ",named(part.label),button("\
Show all",()=>this.choose(null),{class:"quiet"})]}accepts(piece){const part=this.parts.find(p=>p.id===this.chosen);return!part?.has||part.has(piece)}showLongest(part){
const{has:has2}=part;if(!has2)return this.jumps.seek(part.wait);const pieces=(this.path?.pieces??[]).filter(piece=>has2(piece));const longest=pieces.sort((a,b)=>b.
to-b.from-(a.to-a.from))[0];if(longest)this.go(longest)}go(piece){const thread=piece.threadKey??this.threadAfter(piece);if(thread!==void 0)this.jumps.to(thread,
piece.from,piece.to)}threadAfter({to}){return this.path?.pieces.find(piece=>piece.from>=to&&piece.threadKey!==void 0)?.threadKey}shareColumns(){const waits=this.
by==="waits";return[{...textColumn("label",{threads:"Thread",states:"State",callers:"Caller",waits:"Waited for"}[this.by],360,row=>row.label),grows:true,cell:row=>this.
shareLabel(row)},durationColumn("time",waits?"Passed":"Time",row=>row.time,waits?"time of the path that passed meanwhile; each moment counts once, for the inner\
most wait":"time of the path"),{id:"part",label:"Share",width:66,number:true,order:row=>row.time,text:row=>this.path?partText(row,this.path):""},countColumn("co\
unt",waits?"Waits":"Pieces",row=>row.count)]}shareLabel(row){const place=this.parts.indexOf(row);const swatch2=element("span",{class:"swatch","aria-hidden":"tru\
e"});if(place<SHOWN)swatch2.style.background=partColour(row,place);return element("span",{class:"with-swatch"},swatch2,named(row.label))}chainColumns(){return[{
...countColumn("number","No.",row=>row.number),width:48},{id:"from",label:"From",width:116,number:true,order:row=>row.from,text:row=>moment(row.from),cell:row=>this.
link(row)},durationColumn("length","Length",row=>row.to-row.from),textColumn("thread","Thread",190,threadText),textColumn("what","What",230,row=>whatOf(row)),textColumn(
"object","Object",200,objectText,"what the thread waited for; of a latency, what the next thread had waited for"),{...textColumn("caller","Caller",240,row=>row.
caller?callerText(row):"","where the thread waited, or had waited before it ran"),grows:true},textColumn("owner","Owner",180,row=>row.owner?threadText(row.owner):
"","the holder of the monitor, or the joined thread"),textColumn("ownerCaller","Owner was at",180,row=>row.ownerCaller?callerText({caller:row.ownerCaller}):"","\
where the owner was last seen")]}link(row){return button(moment(row.from),()=>this.go(row),{class:"link",title:"show it in the timeline"})}};var KINDS3=[{kind:"blocked",one:"block",many:"Blocks",time:"BLOCKED",long:"BLOCKED: waited for a lock",explain:"waited for a monitor or another lock that a thre\
ad had",state:BLOCKED,states:[BLOCKED,DEADLOCKED]},{kind:"waited",one:"wait",many:"Waits",time:"Waited",long:"Waited: WAITING, TIMED_WAITING, PARKED and IN I/O",
explain:"in Object.wait, in a park, or for input or output; with or without a timeout",state:WAITING,states:[WAITING,TIMED_WAITING,PARKED,IN_IO]},{kind:"timed",
one:"timed wait",many:"Timed waits",time:"TIMED_WAITING",long:"TIMED_WAITING: the waits with a timeout",explain:"the waits with a timeout; these are part of the\
 waits",state:TIMED_WAITING,states:[TIMED_WAITING]},{kind:"parked",one:"park",many:"Parks",time:"PARKED",long:"PARKED: in java.util.concurrent",explain:"in Lock\
Support.park; these are part of the waits, and those for locks of the blocks",state:PARKED,states:[PARKED]},{kind:"io",one:"wait for input or output",many:"I/O \
waits",time:"IN I/O",long:"IN I/O: waited for input or output",explain:"waited for input or output; these are part of the waits",state:IN_IO,states:[IN_IO]},{kind:"\
joined",one:"join",many:"Joins",time:"JOINING",long:"JOINING: waited for the end of a thread",explain:"waited for the end of another thread",state:JOINING,states:[
JOINING]},{kind:"slept",one:"sleep",many:"Sleeps",time:"SLEEPING",long:"SLEEPING: in Thread.sleep",explain:"in Thread.sleep",state:SLEEPING,states:[SLEEPING]}];
var PARTS2=["timed","parked","io"];var NONE={count:0,total:0,min:0,max:0,mean:0,p50:0,p90:0,p99:0,open:0,bins:[]};var MONITOR_KINDS=["blocked","waited","timed","parked","io"];function threadColumns(rows,kind,processes){return[{...textColumn("name","Thread",150,row=>row.name||
"(no name)"),grows:true},{...textColumn("id","Id",52,row=>row.threadId),number:true,order:row=>Number(row.threadId)||row.threadId},textColumn("group","Group",84,
row=>row.group),...processColumn(processes,row=>row.session),...causeColumns(rows,kind),...details(rows,kind)]}function totalColumns(rows){const axis=axisOf(rows.
map(row=>row.distribution));return[{...textColumn("kind","Kind of time",190,row=>row.look.long,"each has other causes, so they are not added up"),grows:true,order:row=>KINDS3.
indexOf(row.look)},{...countColumn("count","Intervals",row=>row.distribution.count),width:84},durationColumn("total","Total",row=>row.distribution.total),...distributionColumns(
row=>row.distribution,"Intervals of this kind",axis,row=>row.look.state),{...countColumn("open","Unfinished",row=>row.distribution.open,"how many were cut off b\
y the end of the trace"),width:92}]}function classColumns2(rows,kind){return[{...textColumn("class","Class of the monitors",230,row=>className(row.class)||"(unk\
nown class)"),grows:true},countColumn("monitors","Monitors",row=>row.monitors),countColumn("threads","Threads",row=>row.threads,"how many threads were blocked o\
r waited there"),...causeColumns(rows,kind,MONITOR_KINDS),...MONITOR_KINDS.includes(kind)?details(rows,kind):[]]}function siteColumns(rows,kind){return[{...textColumn(
"site","Caller",250,siteText,"where in the program the thread was"),grows:true},textColumn("class","Class",120,row=>className(row.monitorClass),"of the monitor"),
...causeColumns(rows,kind),countColumn("threads","Threads",row=>row.threads),countColumn("monitors","Monitors",row=>row.monitors),{...textColumn("holder","The h\
older was at",190,row=>shareText(row.holders,siteText),"where the owner was last seen, of the longest time in which threads were blocked here")},...details(rows,
kind)]}function holderColumns(){return[{...textColumn("holder","The holder was last seen at",300,siteText),grows:true},textColumn("site","while threads were blo\
cked at",300,row=>siteText(row.site)),textColumn("class","Class",160,row=>className(row.site.monitorClass),"of the monitor"),...shareColumns()]}function monitorColumns(rows,kind,processes){
return[{...textColumn("class","Monitor",220,row=>className(classOf(row))||"(unknown class)","the class of the object"),grows:true},{...textColumn("object","Obje\
ct",76,row=>row.objectId),number:true,order:row=>Number(row.objectId)||row.objectId},...processColumn(processes,row=>row.session),countColumn("threads","Threads",
row=>row.threads,"how many threads were blocked or waited there"),...causeColumns(rows,kind,MONITOR_KINDS),{...textColumn("owner","Held by",160,row=>shareText(row.
owners,threadText2),"the holder for the longest part of the time in which threads were blocked")},...MONITOR_KINDS.includes(kind)?details(rows,kind):[]]}function ownerColumns(processes){
return[{...textColumn("owner","Owner",220,threadText2),grows:true},textColumn("monitor","held",300,row=>`${className(classOf(row.monitor))||"object"} ${row.monitor.
objectId}`),...processColumn(processes,row=>row.monitor.session),...shareColumns()]}function pairColumns(processes){return[{...textColumn("waiter","Blocked thre\
ad",240,row=>threadText2(row.waiter)),grows:true},textColumn("owner","by the owner",300,row=>threadText2(row.owner),"the holder of the monitor when the thread b\
egan to wait"),...processColumn(processes,row=>row.waiter.session),...shareColumns()]}function siteText(place){return callerAt(place)||"(caller unknown)"}function threadText2(thread){
if(!thread.threadId)return"(unknown)";return`${thread.name||"(no name)"} (thread ${thread.threadId})`}function processColumn(processes,sessionOf){return processes?
[textColumn("process","Process",130,row=>processes.get(sessionOf(row)??0)??"")]:[]}function causeColumns(rows,chosen,kinds){const shown=KINDS3.filter(({kind})=>(kinds?.
includes(kind)??true)&&(kind==="blocked"||kind===chosen||rows.some(row=>(row[kind]?.count??0)>0)));return shown.flatMap(look=>{const time=durationColumn(look.kind,
look.time,row=>row[look.kind]?.total??0,`how long in all: ${look.explain}`);if(PARTS2.includes(look.kind))return[time];const times2=countColumn(`${look.kind}-co\
unt`,look.many,row=>row[look.kind]?.count??0,`how often: ${look.explain}`);return[{...times2,width:58},time]})}function shareColumns(){return[countColumn("count",
"Blocks",row=>row.count),durationColumn("total","BLOCKED",row=>row.total),durationColumn("max","Longest",row=>row.max)]}function details(rows,kind){const look=KINDS3.
find(l=>l.kind===kind)??KINDS3[0];const of=row=>row[kind]??NONE;return distributionColumns(of,look.many,axisOf(rows.map(of)))}var StatisticsTab=class{constructor(root2,source,about,options){this.root=root2;this.source=source;this.about=about;this.options=options;this.threads=table({name:"\
threads",label:"Threads and how long they did not run",columns:threadColumns([],this.kind,null),key:threadKey,sort:"blocked",select:"many",selected:()=>void this.
narrow(),show:row=>options.jumps.seek({threads:[row.threadKey]},{threads:[row.threadKey],states:[RUNNING]}),unit:["thread","threads"],empty:"No thread was block\
ed or waited here."});this.totals=table({name:"totals",label:"Totals by kind of time",columns:totalColumns([]),key:row=>row.look.kind,sort:"kind",ascending:true,
select:"one",unit:["kind","kinds"],search:false,show:row=>options.jumps.seek({states:row.look.states,threads:this.chosenThreads()})});this.classes=table({name:"\
classes",label:"Classes of monitors",columns:classColumns2([],this.kind),key:row=>row.class,sort:"blocked",select:"one",selected:()=>this.narrowToClass(),show:row=>options.
jumps.seek({className:row.class}),unit:["class","classes"],empty:"No thread was blocked or waited at a monitor here."});this.sites=table({name:"sites",label:"Bl\
ocks and waits by caller",columns:siteColumns([],this.kind),key:siteKey,sort:"blocked",select:"one",selected:()=>this.showHolders(),show:row=>options.jumps.seek(
{className:row.monitorClass,place:callerAt(row)}),accept:row=>this.ofClass(row.monitorClass),unit:["caller","callers"],empty:"No thread was blocked or waited he\
re."});this.holders=table({name:"holders",label:"Where the holders were",columns:holderColumns(),key:row=>siteKey(row.site)+"\n"+siteText(row),sort:"total",select:"\
one",unit:["place","places"],empty:"No holder is known.",show:({site,...row})=>{const at={className:site.monitorClass,place:callerAt(site)};options.jumps.seek({
...at,otherPlace:callerAt({...row,in:void 0})},at)}});this.monitors=table({name:"monitors",label:"Monitors",columns:monitorColumns([],this.kind,null),key:monitorKey2,
sort:"blocked",select:"one",selected:()=>this.showOwners(),show:row=>options.jumps.seek({className:row.class,object:row.objectId}),accept:row=>this.ofClass(row.
class),unit:["monitor","monitors"],empty:"No thread was blocked or waited at a monitor here."});this.owners=table({name:"owners",label:"Owners of monitors",columns:ownerColumns(
null),key:row=>monitorKey2(row.monitor)+"\n"+nameKey(row),sort:"total",select:"one",unit:["owner","owners"],empty:"No owner is known.",show:row=>{const at={className:row.
monitor.class,object:row.monitor.objectId};options.jumps.seek({...at,others:keysOf2(this.about,row)},at)}});this.pairs=table({name:"pairs",label:"Who held the m\
onitor when a thread was blocked",columns:pairColumns(null),key:row=>nameKey(row.waiter)+"\n"+nameKey(row.owner),sort:"total",select:"one",unit:["pair","pairs"],
empty:"No thread is known to have blocked another one.",show:({waiter,owner})=>{const of={threads:keysOf2(this.about,waiter),states:[BLOCKED,DEADLOCKED]};options.
jumps.seek({...of,others:keysOf2(this.about,owner)},of)}});this.content.hidden=true;this.content.append(section("Threads","Select threads to see only theirs bel\
ow: click, Ctrl or Shift and click, or the space bar.",this.threads),titled(this.totalsTitle,this.totals),section("Classes of monitors","Select a class to see o\
nly its callers and monitors.",this.classes,this.classNote),section("Blocks and waits by caller","Select a caller to see where the holders were.",this.sites),section(
"Where the holders were","",this.holders),section("Monitors","Select a monitor to see who owned it.",this.monitors),section("Owners of monitors",OWNERS,this.owners),
section("Who held the monitor when a thread was blocked","",this.pairs));root2.classList.add("statistics");root2.append(this.tools(),this.state,this.content);this.
colour()}root;source;about;options;threads;totals;classes;sites;holders;monitors;owners;pairs;totalsTitle=element("h2",{},"Totals");classNote=element("p",{class:"\
section-note",role:"status"});state=element("p",{class:"panel-state",role:"status"});windowText=element("span",{class:"window-text"});content=element("div",{class:"\
statistics-content"});kind="blocked";windowOnly=false;asked="";question=0;asking=new AbortController;sought=null;every=null;some=null;open(){const window2=this.
options.window();const precision=(window2.to-window2.from)/1e3;this.windowText.textContent=`${moment(window2.from,precision)} – ${moment(window2.to,precision)}`;
const question=JSON.stringify([this.options.threads(),this.windowOnly?[window2.from,window2.to]:null,this.about.events]);if(question===this.asked)return;this.asked=
question;void this.load()}reveal(row){this.sought=row;const narrowed=this.threads.selection.size>0;for(const table2 of[this.threads,this.classes,this.sites,this.
monitors])table2.select([]);if(narrowed)void this.narrow();else if(!this.root.hasAttribute("aria-busy"))this.narrowToClass();this.revealSought()}revealSought(){
const row=this.sought;if(!row||!this.some||this.root.hasAttribute("aria-busy"))return;this.sought=null;const site=row.place&&this.some.sites.find(s=>callerAt(s)===
caller(row.place)&&isOf(s,row));const shown=row.thread!==void 0&&this.threads.showRow(String(row.thread))||site&&this.sites.showRow(siteKey(site))||row.monitor&&
this.monitors.showRow(JSON.stringify([row.monitor[1],row.monitor[0],row.monitor[2]]));if(!shown)this.state.textContent="The tables have no row of this: the row \
is left out, or in sums only."}grown(about){this.about=about}print(printing){for(const printed of[this.threads,this.totals,this.classes,this.sites,this.holders,
this.monitors,this.owners,this.pairs])printed.print(printing)}tools(){const kinds=new Choice("Details of",KINDS3.map(look=>[look.kind,look.time]),this.kind,kind=>{
this.kind=kind;this.colour();this.show();for(const sorted of[this.threads,this.classes,this.sites,this.monitors])sorted.sortByColumn(kind)});const restrict=checkbox(
"Only the timeline's window",false,checked=>{this.windowOnly=checked;this.open()});return element("div",{class:"panel-tools"},element("span",{class:"tool-label",
"aria-hidden":"true"},"Details of"),kinds.root,element("span",{class:"window-choice"},restrict.root,this.windowText),button("Clear selection",()=>this.clear()))}colour(){
const look=KINDS3.find(l=>l.kind===this.kind)??KINDS3[0];this.root.style.setProperty("--kind",`var(--state-${look.state})`)}clear(){this.threads.select([]);this.
classes.select([]);this.sites.select([]);this.monitors.select([]);void this.narrow()}async load(){const question=++this.question;this.asking.abort();this.asking=
new AbortController;const signal=this.asking.signal;this.state.textContent=this.every?"":"Counting …";this.root.setAttribute("aria-busy","true");try{const[from,
to]=this.range();const every=await this.source.statistics(this.options.threads(),from,to,signal);if(question!==this.question)return;this.every=every;this.threads.
setRows(every.threads);const keys=this.selectedThreads();const some=keys.length>0?await this.source.statistics(keys,from,to,signal):every;if(question!==this.question)
return;this.some=some;this.content.hidden=false;this.state.textContent=limitsOf(every);this.state.classList.remove("failed");this.show()}catch(failure){if(question===
this.question)this.fail(failure)}finally{if(question===this.question)this.root.removeAttribute("aria-busy");this.revealSought()}}fail(failure){this.asked="";this.
state.textContent=`The statistics cannot be shown: ${messageOf(failure)}`;this.state.classList.add("failed")}narrow(){return this.load()}range(){if(!this.windowOnly)
return[];const{from,to}=this.options.window();return[Math.floor(from),Math.ceil(to)]}chosenThreads(){const keys=this.selectedThreads();return keys.length>0?keys:
void 0}selectedThreads(){const allowed=this.options.threads();const within3=allowed==="all"?null:new Set(allowed);return[...this.threads.selection].map(Number).
filter(key=>!within3||within3.has(key))}show(){if(!this.every||!this.some)return;const{every,some,kind}=this,processes=processesOf(this.about);this.threads.setColumns(
threadColumns(every.threads,kind,processes));this.totalsTitle.textContent=this.totalsText();const totals=KINDS3.map(look=>({look,distribution:some.all[look.kind]})).
filter(({look,distribution})=>!PARTS2.includes(look.kind)||distribution.count>0);put(this.totals,totalColumns(totals),totals);put(this.classes,classColumns2(some.
classes,kind),some.classes);put(this.sites,siteColumns(some.sites,kind),some.sites);put(this.monitors,monitorColumns(some.monitors,kind,processes),some.monitors);
this.owners.setColumns(ownerColumns(processes));put(this.pairs,pairColumns(processes),some.pairs);this.narrowToClass()}totalsText(){const chosen=this.threads.selection.
size;return chosen>0?`Totals of ${counted(chosen,"selected thread")}`:`Totals of all ${counted(threadsOf(this.every),"thread")}`}ofClass(name){return this.classes.
selection.size===0||this.classes.selection.has(name)}narrowToClass(){const[chosen]=this.classes.selection;replace(this.classNote,...chosen===void 0?[]:["Callers\
 and monitors below: only of ",named(className(chosen)||"(unknown class)"),"."]);this.sites.refresh();this.monitors.refresh();this.showHolders();this.showOwners()}showHolders(){
const rows=chosenOrAll(this.sites,siteKey);this.holders.setRows(rows.flatMap(site=>site.holders.map(holder=>({...holder,site}))))}showOwners(){const rows=chosenOrAll(
this.monitors,monitorKey2);this.owners.setRows(rows.flatMap(monitor=>monitor.owners.map(owner=>({...owner,monitor}))))}};function table(options){return new Table2(
{...options,name:`statistics.${options.name}`})}function put(shown,columns,rows){shown.setColumns(columns,rows)}function chosenOrAll(shown,key){const chosen=shown.
rowsInSight.filter(row=>shown.selection.has(key(row)));return chosen.length>0?chosen:[...shown.rowsInSight]}function threadKey(row){return String(row.threadKey)}
function threadsOf(every){return(every?.threads.length??0)+(every?.omitted?.["threads"]??0)+(every?.hidden?.["threads"]?.rows??0)}function limitsOf(every){const texts=every.
incomplete?["Short intervals are in this page only in sums, so these figures are of the longer ones. trcx serve has them all."]:[];const left=Object.entries(every.
omitted??{}).map(([table2,rows])=>`${table2}: ${rows.toLocaleString("en")}`);if(left.length>0)texts.push(`Tables have the rows with the most time; left out are ${left.
join(", ")}. trcx stats TRACE --top 0 has them all.`);return texts.join(" ")}function isOf(site,row){return site.monitorClass===(row.monitor?.[1]??"")}function siteKey(row){
return JSON.stringify([row.class,row.method,row.file,row.line,row.in,row.outer,row.monitorClass,row.joined.count>0,row.slept.count>0])}function monitorKey2(row){
return JSON.stringify([row.class,row.objectId,row.session??0])}function nameKey(thread){return JSON.stringify([thread.threadId,thread.name,thread.session??0])}var OWNERS="\
In a part of the time or of the threads: who held the monitor when a thread was blocked.";function titled(title,shown){shown.tools.remove();return element("sect\
ion",{class:"section"},element("div",{class:"section-head"},title),shown.root)}var LONG=600;var MARKS={deadlock:["Deadlock","bad"],finding:["Finding","warn"]};var Summary=class{root=element("section",{class:"summary","aria-label":"Summary"});verdicts=element(
"ul",{class:"verdicts","aria-label":"Verdict"});notes=element("ul",{class:"notes","aria-label":"What this page cannot show"});shown="";constructor(){this.root.append(
this.verdicts,this.notes)}show(about){const now=JSON.stringify([about.verdicts,about.notes,about.resolution]);if(now===this.shown)return;this.shown=now;replace(
this.verdicts,...about.verdicts.map(verdict=>{const[mark3,means]=MARKS[verdict.about]??["Note","info"];return element("li",{},element("span",{class:`mark ${means}`},
mark3),element("div",{},element("p",{class:"verdict"},...openable(verdict.text)),...verdict.remarks.map(remark=>element("p",{class:"remark"},...openable(remark)))))}));
replace(this.notes,...notesOf(about).map(note=>element("li",{},...openable(note))));this.notes.hidden=this.notes.childElementCount===0}};function openable(text){
if(text.length<=LONG)return[element("bdi",{dir:"auto"},text)];const word=text.lastIndexOf(" ",LONG)+1;const at=word>LONG/2?word:/[\uDC00-\uDFFF]/.test(text[LONG])?
LONG-1:LONG;const rest=element("span",{class:"rest",hidden:true},text.slice(at));const more=button("More",()=>{rest.hidden=!rest.hidden;more.textContent=rest.hidden?
"More":"Less";more.setAttribute("aria-expanded",String(!rest.hidden))},{class:"link","aria-expanded":"false"});return[element("bdi",{dir:"auto"},text.slice(0,at),
rest)," ",more]}function notesOf(about){if(about.resolution===0||about.notes.some(note=>note.includes("trcx serve")))return about.notes;return[...about.notes,`W\
hat is shorter than ${duration(about.resolution)} is in this page only in sums. trcx serve has the detail.`]}function factsOf(about){return[duration(about.duration),
counted(about.threads.key.length+about.threads.omitted,"thread"),counted(about.events,"event"),startOf(about.startTime)].filter(fact=>fact!=="")}function startOf(seconds){
const started=new Date(Number(seconds)*1e3);return seconds===""||Number.isNaN(started.getTime())?"":`started ${started.toISOString().replace("T"," ").slice(0,19)}\
 UTC`}var Tabs=class{constructor(label,tabs,shown){this.tabs=tabs;this.shown=shown;this.buttons=tabs.map((tab,i)=>this.button(tab,i));this.list=element("div",{role:"t\
ablist","aria-label":label,class:"tabs"},...this.buttons);this.list.addEventListener("keydown",event=>this.key(event));for(const tab of tabs){tab.panel.id=`pane\
l-${tab.id}`;tab.panel.setAttribute("role","tabpanel");tab.panel.setAttribute("aria-labelledby",`tab-${tab.id}`)}}tabs;shown;list;buttons;at=0;get shownTab(){return this.
tabs[this.at].id}show(id){this.go(Math.max(0,this.tabs.findIndex(tab=>tab.id===id)),false)}showNumber(n){if(n>=0&&n<this.tabs.length)this.go(n,true)}button(tab,i){
const made=element("button",{type:"button",role:"tab",id:`tab-${tab.id}`,"aria-controls":`panel-${tab.id}`,title:`${tab.label} (key ${i+1})`},tab.label);made.addEventListener(
"click",()=>this.go(i,false));return made}key(event){const last=this.tabs.length-1;const to={ArrowRight:this.at===last?0:this.at+1,ArrowLeft:this.at===0?last:this.
at-1,Home:0,End:last}[event.key];if(to===void 0)return;event.preventDefault();this.go(to,true)}go(to,focus){this.at=to;this.tabs.forEach((tab,i)=>{tab.panel.hidden=
i!==to;this.buttons[i].setAttribute("aria-selected",String(i===to));this.buttons[i].tabIndex=i===to?0:-1});if(focus)this.buttons[to].focus();this.shown(this.tabs[to].
id)}};var ThemeSwitch=class{constructor(changed){this.changed=changed;this.theme=themeOf(remembered("theme"));const choice=new Choice("Theme",[["system","System"],["l\
ight","Light"],["dark","Dark"]],this.theme,theme=>this.set(theme));this.root=choice.root;this.root.classList.add("themes");this.systemDark.addEventListener("cha\
nge",()=>this.put());document.documentElement.dataset.theme=this.inForce()}changed;root;theme;printing=false;systemDark=matchMedia("(prefers-color-scheme: dark)");print(printing){
this.printing=printing;this.put()}set(theme){this.theme=theme;remember("theme",theme);this.put()}put(){document.documentElement.dataset.theme=this.inForce();this.
changed()}inForce(){if(this.printing)return"light";if(this.theme!=="system")return this.theme;return this.systemDark.matches?"dark":"light"}};function themeOf(text){
return text==="light"||text==="dark"?text:"system"}var ALPHA=.35;var Pauses=class{rows;constructor(rows){this.rows=rows.filter(({paused})=>paused>0).sort((a,b)=>a.from-b.from)}get isEmpty(){return this.rows.length===
0}text(time,reach2){const row=this.rows[this.firstEndingAfter(time-reach2)];return row&&row.from<=time+reach2?collectionText(row):""}draw(raster,view,colour){const column=time=>Math.
floor((time-view.from)*raster.width/view.length);let drawn=0;for(let i=this.firstEndingAfter(view.from);i<this.rows.length&&this.rows[i].from<=view.to;i++){const{
from,paused}=this.rows[i];const left=Math.max(drawn,column(from)),right=Math.max(left,column(from+paused)+1,drawn);raster.tint(left,Math.min(right,raster.width),
0,raster.height,colour,ALPHA);drawn=Math.max(drawn,right)}}firstEndingAfter(time){let low=0,high=this.rows.length;while(low<high){const middle=low+high>>1,{from,
paused}=this.rows[middle];if(from+paused<=time)low=middle+1;else high=middle}return low}};function insetOf(row){return row.bar<LANE_HEIGHT?2:row.bar<28?4:6}function barOf(row,scroll,ratio){const inset=insetOf(row),top=Math.round((row.top-scroll+inset)*
ratio);return[top,top+Math.round((row.bar-2*inset)*ratio)]}var LANE_HEIGHT=22;var TALL_HEIGHT=32;var COMPACT_HEIGHT=14;var HEADER_HEIGHT=24;var Rows=class{constructor(about,threads,grouping,collapsed,laneHeight,calls,unfolded){
this.laneHeight=laneHeight;const places=new Map(about.threads.key.map((key,place)=>[key,place]));let top=0;const lane=(thread,group,index)=>{const open2=calls.has(
thread)?unfolded.has(thread):null,height=laneHeight+(open2?calls.get(thread):0);this.byThread.set(thread,index);this.all.push({thread,place:places.get(thread)??
-1,group,label:"",members:[],collapsed:false,top,height,bar:laneHeight,unfolded:open2});top+=height};const own=grouping?[]:threads.filter(thread=>isOfJvm(about,
places.get(thread)));const folds=own.length>0&&own.length<threads.length,folded=new Set(folds?own:[]);if(!grouping){for(const thread of threads){if(!folded.has(
thread))lane(thread,"",this.all.length)}}if(grouping||folds){const jvm=new Map([[JVM_THREADS,{label:"the JVM's own threads",members:own}]]);for(const[key,group]of grouping?
groupsOf(about,threads,places):jvm){const header=this.all.length,closed=collapsed.has(key);this.all.push({thread:0,place:-1,group:key,label:group.label,members:group.
members,collapsed:closed,top,height:HEADER_HEIGHT,bar:HEADER_HEIGHT,unfolded:null});top+=HEADER_HEIGHT;for(const thread of group.members){if(closed)this.byThread.
set(thread,header);else lane(thread,key,this.all.length)}}}this.height=top;this.centres=Float64Array.from(this.all,row=>row.top+row.bar/2)}laneHeight;all=[];height;centres;byThread=new Map;at(y2){
let low=0,high=this.all.length;while(low<high){const middle=low+high>>1;if(this.all[middle].top<=y2)low=middle+1;else high=middle}return low-1}of(thread){return this.
byThread.get(thread)??-1}};var JVM_THREADS="jvm";var JVM_GROUPS=new Set(["system","InnocuousThreadGroup","CarrierThreads"]);function isOfJvm(about,place){const t=about.
threads;return place!==void 0&&JVM_GROUPS.has(t.group[place])}function byInterest(about,threads){const held2=new Map(about.threads.key.map((key,place)=>{const times2=about.
threads.times[place];const sum=(...states)=>states.reduce((total,state)=>total+(times2[state]??0),0);return[key,[sum(DEADLOCKED),sum(BLOCKED),sum(WAITING,TIMED_WAITING,
PARKED,JOINING,IN_IO)]]}));const compared2=(a,b)=>{const[x3,y2]=[held2.get(a)??[],held2.get(b)??[]];return(y2[0]??0)-(x3[0]??0)||(y2[1]??0)-(x3[1]??0)||(y2[2]??
0)-(x3[2]??0)};return[...threads].sort(compared2)}function groupsOf(about,threads,places){const groups=new Map,processes=processesOf(about);for(const thread of threads){
const place=places.get(thread)??-1;const name=about.threads.group[place]??"",session=about.threads.session[place]??0;const key=`${session} ${name}`;let group=groups.
get(key);if(!group){const process=processes?.get(session);groups.set(key,group={label:(name||"no thread group")+(process?`, ${process}`:""),members:[]})}group.members.
push(thread)}return groups}var Arrangement=class{constructor(about){this.about=about}about;threads=[];grouping=false;compact=false;calls=new Map;unfolded=new Set;collapsed=new Set([JVM_THREADS]);rows(height){
return new Rows(this.about,this.threads,this.grouping,this.collapsed,this.laneHeight(height),this.calls,this.unfolded)}laneHeight(height){if(this.compact)return COMPACT_HEIGHT;
return Math.max(LANE_HEIGHT,Math.min(TALL_HEIGHT,Math.floor((height-8)/(this.threads.length+1))))}toggleGroup(group){if(!this.collapsed.delete(group))this.collapsed.
add(group)}toggleCalls(thread){if(!this.unfolded.delete(thread))this.unfolded.add(thread)}get hasAll(){return this.threads.length===this.about.threads.key.length}};var Cursor=class{constructor(scene,chart,toggleGroup,moved){this.scene=scene;this.chart=chart;this.toggleGroup=toggleGroup;this.moved=moved}scene;chart;toggleGroup;moved;get thread(){
return this.scene.rows.all[this.scene.cursor]?.thread??0}get group(){const row=this.scene.rows.all[this.scene.cursor];return row&&row.thread===0?row.group:null}get time(){
const{selected,view}=this.scene;const inView=selected&&selected.to>=view.from&&selected.from<=view.to&&selected.thread===this.thread;return inView?selected.from:
(view.from+view.to)/2}set(index,centred=false){const{scene,chart}=this,{all}=scene.rows,limited=Math.max(0,Math.min(all.length-1,index));if(!all[limited])return;
scene.cursor=limited;chart.scrollIntoView(all[limited],centred);scene.scroll=chart.scrollTop;this.moved()}moveBy(rows){this.set(this.scene.cursor+rows)}movePages(pages){
this.moveBy(pages*Math.max(1,Math.floor(this.chart.height/this.scene.rows.laneHeight)-1))}reveal(thread){let index=this.scene.rows.of(thread);if(index<0)return false;
if(this.scene.rows.all[index].thread!==thread){this.toggleGroup(this.scene.rows.all[index].group);index=this.scene.rows.of(thread)}this.set(index,true);return true}};var LEVEL=18;var TITLED=40;var LETTER2=6;var COLOURS=8;var DEEPEST=64;var CallLayer=class{constructor(scene,lanes){this.scene=scene;this.lanes=lanes}scene;lanes;root=element(
"div",{class:"timeline-calls"});strips=new Map;threads=new Map;set(threads){this.threads=new Map(threads.map(calls=>[calls.id,calls]))}height(place){return LEVEL*
Math.min(this.of(place)?.levels??0,DEEPEST)}of(place){return this.threads.get(this.scene.about.threads.id[place]??"")}draw(first2,last,width){const{rows,scroll}=this.
scene,seen=new Set;this.root.style.width=`${width}px`;for(const{thread,place,top,bar:bar2,unfolded}of rows.all.slice(first2,last+1)){const calls=this.of(place);
if(!unfolded||!calls)continue;let strip=this.strips.get(thread);if(!strip){strip=new CallStrip(this.scene,calls,this.lanes);this.strips.set(thread,strip);this.root.
append(strip.canvas)}seen.add(thread);strip.draw(top+bar2-scroll,width)}for(const[thread,{canvas}]of this.strips){if(seen.has(thread))continue;canvas.remove();this.
strips.delete(thread)}}describe(){for(const strip of this.strips.values())strip.describe()}};var CallStrip=class{constructor(scene,shown,lanes){this.scene=scene;
this.shown=shown;this.levels=Array.from({length:shown.levels},()=>[]);for(const call2 of shown.calls)this.levels[call2.level].push(call2);this.canvas.addEventListener(
"pointermove",({offsetX,offsetY})=>{const call2=this.at(offsetX,offsetY);this.canvas.title=call2?clipped(titleOf(call2),600):""});this.canvas.addEventListener("\
click",({offsetX,offsetY})=>{const call2=this.at(offsetX,offsetY);if(call2)this.scene.view.zoomTo(call2.from,call2.to)});this.canvas.addEventListener("wheel",event=>{
if(!lanes.dispatchEvent(new WheelEvent("wheel",event)))event.preventDefault()})}scene;shown;canvas=element("canvas",{role:"img"});levels;colours=null;draw(top,width){
const{canvas}=this,ratio=devicePixelRatio,levels=this.levels.slice(0,DEEPEST);const height=LEVEL*levels.length;if(canvas.width!==Math.round(width*ratio)||canvas.
height!==Math.round(height*ratio)){canvas.width=Math.round(width*ratio);canvas.height=Math.round(height*ratio);canvas.style.width=`${width}px`;canvas.style.height=
`${height}px`}canvas.style.transform=`translateY(${top}px)`;const context=canvas.getContext("2d");context.setTransform(ratio,0,0,ratio,0,0);context.clearRect(0,
0,width,height);context.font="11px system-ui, sans-serif";context.textBaseline="middle";levels.forEach((calls,level)=>this.drawLevel(context,calls,level*LEVEL,width))}describe(){
const{from,to}=this.scene.view,seen=this.shown.calls.filter(call2=>call2.to>=from&&call2.from<=to);const longer2=(most,call2)=>most&&lengthOf(most)>=lengthOf(call2)?
most:call2;const longest=seen.reduce(longer2,null);this.canvas.setAttribute("aria-label",`${counted(seen.length,"call")} of ${clipped(this.shown.title,80)}`+(longest?
`, the longest ${clipped(titleOf(longest))}`:""))}drawLevel(context,calls,top,width){const{view,palette}=this.scene,scale2=width/view.length;let end=-1;for(let i=firstEnding(
calls,view.from);i<calls.length&&calls[i].from<=view.to;i++){const{name,from,to}=calls[i];const left=Math.max((from-view.from)*scale2,0),right=Math.min((to-view.
from)*scale2,width);if(right<end&&right-left<1)continue;const wide=Math.max(right-left,1);end=Math.floor(left)+1;context.globalAlpha=palette.dark?.4:.5;context.
fillStyle=this.colourOf(name);context.fillRect(left,top,wide>3?wide-1:wide,LEVEL-1);if(wide<TITLED)continue;context.globalAlpha=1;context.fillStyle=palette.css.
text;context.fillText(clipped(name,Math.floor((wide-8)/LETTER2)),left+4,top+LEVEL/2,wide-8)}}colourOf(name){const{palette}=this.scene;if(this.colours?.of!==palette){
const style=getComputedStyle(this.canvas);const css=Array.from({length:COLOURS},(_,i)=>style.getPropertyValue(`--part-${i}`).trim());this.colours={of:palette,css}}
const method=name.split("(",1)[0],of=method.slice(0,Math.max(method.lastIndexOf("."),0));let hash=0;for(let i=0;i<of.length;i++)hash=31*hash+of.charCodeAt(i)|0;
return this.colours.css[Math.abs(hash)%COLOURS]}at(x3,y2){const{view}=this.scene,perPixel=view.length/Math.max(this.canvas.clientWidth,1);const calls=this.levels[Math.
floor(y2/LEVEL)]??[],time=view.from+x3*perPixel;const call2=calls[firstEnding(calls,time-perPixel)];return call2&&call2.from<=time+perPixel?call2:null}};var lengthOf=({
from,to})=>to-from;function titleOf({name,from,to}){return`${name}: ${duration(to-from)} from ${moment(from)} on`}function firstEnding(calls,time){let low=0,high=calls.
length;while(low<high){const middle=low+high>>1;if(calls[middle].to<time)low=middle+1;else high=middle}return low}var AXIS_HEIGHT=24;var DIVIDER_WIDTH=6;var NARROWEST_LABELS=60;var Chart=class{constructor(labels,lanes,overview,changed){this.labels=labels;this.overview=overview;
this.changed=changed;const strips=element("div",{class:"timeline-strips"},overview,this.axis);this.sheet.append(labels,this.divider(),lanes);this.spacer.append(
this.sheet);this.scroller.append(this.spacer);this.root.append(element("div",{class:"timeline-top"},element("div",{class:"timeline-corner"},"Threads"),strips),this.
scroller)}labels;overview;changed;root=element("div",{class:"timeline-chart"});axis=element("canvas",{class:"timeline-axis","aria-hidden":"true"});width=1;height=1;scroller=element(
"div",{class:"timeline-scroll",tabindex:-1});spacer=element("div",{class:"timeline-spacer"});sheet=element("div",{class:"timeline-sheet"});get scrollTop(){return this.
scroller.scrollTop}scrollTo(top){this.scroller.scrollTop=top}scrollIntoView({top,height},centred){const first2=this.scroller.scrollTop,last=first2+this.height,outside=top<
first2||top+height>last;if(outside&&centred)this.scrollTo(top-this.height/2);else if(top<first2)this.scrollTo(top);else if(top+height>last)this.scrollTo(top+height-
this.height)}onScroll(listener){this.scroller.addEventListener("scroll",listener,{passive:true})}observe(listener){const observer=new ResizeObserver(listener);observer.
observe(this.scroller);observer.observe(this.overview);return()=>observer.disconnect()}size(){const{clientWidth,clientHeight}=this.scroller;return{width:clientWidth-
this.labels.offsetWidth-DIVIDER_WIDTH,height:clientHeight}}setRows(rows,height){this.spacer.style.height=`${Math.max(height,rows+8)}px`;this.sheet.style.height=
`${height}px`}resize(width,height,palette){this.width=width;this.height=height;this.axis.style.width=this.overview.style.width=`${width}px`;this.axis.width=Math.
round(width*devicePixelRatio);this.axis.height=Math.round(AXIS_HEIGHT*devicePixelRatio);const context=this.context();context.fillStyle=palette.css.background;context.
fillRect(0,0,this.axis.width,this.axis.height)}drawAxis(from,perPixel,width,palette){const context=this.context();context.setTransform(devicePixelRatio,0,0,devicePixelRatio,
0,0);drawAxis(context,from,perPixel,width,AXIS_HEIGHT,palette)}context(){return this.axis.getContext("2d",{alpha:false})}divider(){const made=element("div",{class:"\
timeline-divider",role:"separator","aria-orientation":"vertical","aria-label":"Width of the names",tabindex:0});const width=()=>this.labels.offsetWidth;const set=pixels=>{
const limited=Math.round(Math.max(NARROWEST_LABELS,Math.min(this.root.clientWidth*.6,pixels)));this.root.style.setProperty("--labels",`${limited}px`);made.setAttribute(
"aria-valuenow",String(limited));this.changed()};made.addEventListener("pointerdown",event=>{const start=width()-event.clientX,stop=new AbortController,{signal}=stop;
made.setPointerCapture(event.pointerId);made.addEventListener("pointermove",moved=>set(start+moved.clientX),{signal});for(const name of["pointerup","pointercanc\
el"])made.addEventListener(name,()=>stop.abort(),{signal})});made.addEventListener("keydown",event=>{const by=event.key==="ArrowLeft"?-20:event.key==="ArrowRigh\
t"?20:0;if(by!==0)set(width()+by)});return made}};var REST=120;var Frames=class{constructor(root2,drawing2){this.root=root2;this.drawing=drawing2}root;drawing;frame=0;movedAt=0;moving=false;restTimer=0;changed=true;schedule(){
if(this.frame===0)this.frame=requestAnimationFrame(()=>this.draw())}change(){this.changed=true;this.schedule()}markChanged(){this.changed=true}move(){this.movedAt=
performance.now();if(!this.moving)this.restTimer=window.setTimeout(()=>this.rest(),REST);this.moving=true;this.root.dataset.moving="";this.schedule()}get isScheduled(){
return this.frame!==0}drawNow(){cancelAnimationFrame(this.frame);this.draw()}still(){delete this.root.dataset.moving}close(){cancelAnimationFrame(this.frame);clearTimeout(
this.restTimer)}draw(){this.frame=0;const more=this.drawing.draw(this.moving);if(!this.moving&&this.changed&&this.drawing.describe()){this.changed=false;this.still()}
if(more)this.schedule()}rest(){const left=REST-(performance.now()-this.movedAt);if(left>1){this.restTimer=window.setTimeout(()=>this.rest(),left);return}this.moving=
false;this.changed=true;this.drawing.rest();this.schedule()}};var Labels=class{constructor(about,chosen,toggled,unfolded){this.about=about;this.chosen=chosen;this.toggled=toggled;this.unfolded=unfolded}about;chosen;toggled;unfolded;root=element(
"div",{class:"timeline-labels"});made=new Map;rows=null;cursor=-1;scroll=-1;height=0;place(rows,first2,last,scroll,cursor){if(rows===this.rows&&scroll===this.scroll&&
cursor===this.cursor&&last-first2===this.height)return;if(rows!==this.rows)this.clear();this.scroll=scroll;this.height=last-first2;this.rows=rows;for(const[index,
label]of this.made){if(index>=first2&&index<=last)continue;label.remove();this.made.delete(index)}for(let index=Math.max(0,first2);index<=last;index++){const row=rows.
all[index];let label=this.made.get(index);if(!label){label=row.thread?this.lane(row,index):this.header(row);this.made.set(index,label);this.root.append(label)}label.
style.transform=`translateY(${row.top-scroll}px)`;if(cursor!==this.cursor)label.classList.toggle("cursor",index===cursor)}if(cursor!==this.cursor)this.cursor=cursor;
this.made.get(cursor)?.classList.add("cursor")}clear(){this.made.clear();this.root.replaceChildren()}lane(row,index){const name=threadName(this.about.threads,row.
place),id=this.about.threads.id[row.place]??"";const made=element("div",{class:"timeline-label",title:tooltip(name)+`
thread ${id}`},element("bdi",{class:"name",dir:"auto"},clipped(name,200)),this.about.threads.silent.includes(row.thread)&&element("span",{class:"silent"},"no ev\
ents"),element("span",{class:"id"},id));made.style.height=`${row.height}px`;made.style.lineHeight=`${row.bar}px`;made.style.paddingBottom=`${row.height-row.bar}\
px`;if(row.unfolded!==null){const twist=element("button",{type:"button",class:"twist","aria-expanded":String(row.unfolded),"aria-label":`Calls of ${clipped(name,
80)}`},row.unfolded?"▾":"▸");twist.addEventListener("click",event=>{event.stopPropagation();this.unfolded(row.thread)});made.prepend(twist)}made.addEventListener(
"click",()=>this.chosen(index));return made}header(row){const made=element("button",{type:"button",class:"timeline-header","aria-expanded":String(!row.collapsed),
title:tooltip(row.label)},element("span",{class:"twist","aria-hidden":"true"},row.collapsed?"▸":"▾"),element("bdi",{class:"name",dir:"auto"},clipped(row.label,
200)),element("span",{class:"id",title:counted(row.members.length,"thread")},count(row.members.length)));made.style.height=`${row.height}px`;made.addEventListener(
"click",()=>this.toggled(row.group));return made}};var NARROW=24;var MOST_CORNERS=8;var Raster=class{constructor(pixels,width,height){this.pixels=pixels;this.width=width;this.height=height;this.right=width;this.
bottom=height}pixels;width;height;left=0;right;top=0;bottom;edges=new Float64Array(3*MOST_CORNERS);clip(left=0,right=this.width,top=0,bottom=this.height){this.left=
Math.max(0,left);this.right=Math.min(this.width,right);this.top=Math.max(0,top);this.bottom=Math.min(this.height,bottom)}fill(left,right,top,bottom,colour){const first2=left<
this.left?this.left:left,end=right>this.right?this.right:right,last=bottom>this.bottom?this.bottom:bottom;if(end<=first2)return;const{pixels,width}=this,begin=top<
this.top?this.top:top;if(end-first2>NARROW){for(let y2=begin;y2<last;y2++)pixels.fill(colour,y2*width+first2,y2*width+end);return}for(let y2=begin;y2<last;y2++){
for(let at=y2*width+first2,stop=y2*width+end;at<stop;at++)pixels[at]=colour}}tint(left,right,top,bottom,colour,alpha){for(let y2=Math.max(this.top,top);y2<Math.
min(this.bottom,bottom);y2++){for(let x3=Math.max(this.left,left);x3<Math.min(this.right,right);x3++)this.blend(y2*this.width+x3,colour,alpha)}}frame(left,right,top,bottom,thick,colour){
this.fill(left-thick,right+thick,top-thick,top,colour);this.fill(left-thick,right+thick,bottom,bottom+thick,colour);this.fill(left-thick,left,top,bottom,colour);
this.fill(right,right+thick,top,bottom,colour)}line(x3,y2,toX,toY,width,dash,colour,alpha){this.lines([new Steps({x:x3,y:y2,toX,toY,width,dash,colour,alpha})])}lines(lines){
const steep=lines.filter(line=>line.steep&&this.touches(line));if(steep.length>0)this.upright(steep);for(const line of lines){if(line.steep||!this.touches(line))
continue;for(let x3=Math.max(this.left,line.first),end=Math.min(this.right,line.end);x3<end;x3++)this.step(line,x3,x3,this.width,this.top,this.bottom)}}upright(lines){
for(let y2=this.top;y2<this.bottom;y2++){for(let i=0;i<lines.length;i++){if(y2>=lines[i].first&&y2<lines[i].end)this.step(lines[i],y2,y2*this.width,1,this.left,
this.right)}}}touches({steep,first:first2,end,least,most}){const[from,to,begin,stop]=steep?[this.top,this.bottom,this.left,this.right]:[this.left,this.right,this.
top,this.bottom];return first2<to&&end>from&&least<stop&&most>begin}step(line,i,row,side,least,most){const past=i+.5-line.from;if(line.dash!==null&&line.dash.isGap(
(past<0?-past:past)*line.stretch))return;const centre=line.across+past*line.slope,begin=centre-line.half,stop=centre+line.half,{alpha,colour}=line;const first2=Math.
floor(begin),final=Math.floor(stop);if(final<least||first2>=most)return;if(first2===final)return this.blend(row+first2*side,colour,alpha*(stop-begin));if(first2>=
least)this.blend(row+first2*side,colour,alpha*(first2+1-begin));for(let j=first2<least?least:first2+1,end=final<most?final:most;j<end;j++)this.blend(row+j*side,
colour,alpha);if(final<most)this.blend(row+final*side,colour,alpha*(stop-final))}shape(points,colour,alpha){const corners=points.length,{edges}=this;let left=Infinity,
right=-Infinity,top=Infinity,bottom=-Infinity;for(let i=0;i<corners;i++){const[ax,ay]=points[i],[bx,by]=points[(i+1)%corners],length=Math.hypot(bx-ax,by-ay)||1;
edges[3*i]=(by-ay)/length;edges[3*i+1]=(ax-bx)/length;edges[3*i+2]=-(ax*edges[3*i]+ay*edges[3*i+1]);left=Math.min(left,ax);right=Math.max(right,ax);top=Math.min(
top,ay);bottom=Math.max(bottom,ay)}right=Math.min(this.right,Math.ceil(right));bottom=Math.min(this.bottom,Math.ceil(bottom));for(let y2=Math.max(this.top,Math.
floor(top));y2<bottom;y2++){for(let x3=Math.max(this.left,Math.floor(left));x3<right;x3++){let outside=-1;for(let at=0;at<3*corners;at+=3){const distance=edges[at]*
(x3+.5)+edges[at+1]*(y2+.5)+edges[at+2];if(distance>outside)outside=distance}if(outside<.5)this.blend(y2*this.width+x3,colour,alpha*(outside<=-.5?1:.5-outside))}}}blend(at,colour,alpha){
const under=this.pixels[at]|0,over=colour|0,part=alpha*256|0,rest=256-part;const redBlue=(under&16711935)*rest+(over&16711935)*part>>>8&16711935;const green=(under&
65280)*rest+(over&65280)*part>>>8&65280;this.pixels[at]=4278190080|redBlue|green}};var Steps=class{steep;first;end;from;across;slope;stretch;half;least;most;dash;colour;alpha;constructor(line){
const steep=this.steep=Math.abs(line.toY-line.y)>=Math.abs(line.toX-line.x);const to=steep?line.toY:line.toX;this.from=steep?line.y:line.x;this.across=steep?line.
x:line.y;this.slope=to===this.from?0:((steep?line.toX:line.toY)-this.across)/(to-this.from);this.stretch=Math.sqrt(1+this.slope*this.slope);this.half=line.width/
2*this.stretch;this.first=Math.round(Math.min(this.from,to));this.end=Math.round(Math.max(this.from,to));const toAcross=steep?line.toX:line.toY;this.least=Math.
min(this.across,toAcross)-this.half-1;this.most=Math.max(this.across,toAcross)+this.half+1;this.dash=line.dash;this.colour=line.colour;this.alpha=line.alpha}};var Dash=class{gaps;constructor(parts){
const gaps=[];parts.forEach((part,i)=>gaps.push(...new Array(Math.max(1,Math.round(2*part))).fill(i%2)));this.gaps=Uint8Array.from(gaps)}isGap(at){return this.gaps[(2*
at|0)%this.gaps.length]===1}};var MOST_DRAWN=80;var MANY2=40;var REACH=5;var Chooser=class{placed=new Map;rows=null;occupied=new Set;found=new Drawn;choose(tables,rows,part,shown,counting,into){
this.place(tables,rows);const{found}=this;found.count=0;let seen=0;const most=counting?MOST_DRAWN:Math.min(MOST_DRAWN,12+Math.ceil(2*MOST_DRAWN/tables.length));
for(const table2 of tables)seen+=this.chooseOf(table2,rows,part,shown,most,counting);seen-=found.merge(into,this.occupied);return seen}place(tables,rows){if(this.
rows===rows&&tables.length===this.placed.size&&tables.every(table2=>this.placed.has(table2)))return;const before=this.rows===rows?this.placed:null,rowOf=thread=>rows.
of(thread);this.placed=new Map(tables.map(table2=>[table2,before?.get(table2)??{from:Int32Array.from(table2.thread,rowOf),to:Int32Array.from(table2.toThread,rowOf)}]));
this.rows=rows}chooseOf(table2,rows,{from,perPixel,scroll,width,height},shown,most,counting){const{time,toTime,type,count:count2}=table2,placed=this.placed.get(
table2),{found,occupied}=this,{centres}=rows;const to=from+width*perPixel,start=found.count,bottom=scroll+height;let seen=0;occupied.clear();for(let i=0;i<count2;i++){
if(time[i]<from&&toTime[i]<from||time[i]>to&&toTime[i]>to)continue;const row=placed.from[i],toRow=placed.to[i];if(row<0||toRow<0||row===toRow||!shown[type[i]])continue;
const y2=centres[row],toY=centres[toRow];if(y2<scroll&&toY<scroll||y2>bottom&&toY>bottom)continue;seen++;if(found.count-start>=most){if(counting)continue;break}
const x3=(time[i]-from)/perPixel,toX=(toTime[i]-from)/perPixel,same=placeOf2(x3,toX,row,toRow,type[i]);if(occupied.has(same))seen--;else found.add(table2,i,x3,y2-
scroll,toX,toY-scroll,same);occupied.add(same)}return seen}};function placeOf2(x3,toX,row,toRow,type){return((Math.round(x3)*8191+Math.round(toX))*8191+row)*8191+
toRow+type*.125}var Drawn=class{count=0;tables=[];rows=[];x=[];y=[];toX=[];toY=[];places=[];add(table2,row,x3,y2,toX,toY,place){const i=this.count++;this.tables[i]=
table2;this.rows[i]=row;this.x[i]=x3;this.y[i]=y2;this.toX[i]=toX;this.toY[i]=toY;this.places[i]=place}merge(into,occupied){const order=Array.from({length:this.
count},(_,i)=>i).sort((a,b)=>this.waited(b)-this.waited(a));let blocked=0;occupied.clear();into.count=0;for(const i of order){if(into.count===MOST_DRAWN)break;if(occupied.
has(this.places[i]))blocked++;else into.add(this.tables[i],this.rows[i],this.x[i],this.y[i],this.toX[i],this.toY[i],this.places[i]);occupied.add(this.places[i])}
return into.count+blocked}type(i){return this.tables[i].type[this.rows[i]]}waited(i){return this.tables[i].waited[this.rows[i]]}is(i,{event,toEvent,type}){const table2=this.
tables[i],row=this.rows[i];return table2.event[row]===event&&table2.toEvent[row]===toEvent&&table2.type[row]===type}at(x3,y2){let best=REACH,found=-1;for(let i=0;i<
this.count;i++){const distance=distanceTo(x3,y2,this.x[i],this.y[i],this.toX[i],this.toY[i]);if(distance<best){best=distance;found=i}}return found<0?null:arrowAt(
this.tables[found],this.rows[found])}};function distanceTo(x3,y2,x0,y0,x1,y1){const dx=x1-x0,dy=y1-y0,length=dx*dx+dy*dy;const part=length===0?0:Math.max(0,Math.
min(1,((x3-x0)*dx+(y2-y0)*dy)/length));return Math.hypot(x3-x0-part*dx,y2-y0-part*dy)}function penFor(raster,ratio,styles,colours){const dashes=styles.map(({dash})=>dash?.
length?new Dash(dash.map(part=>part*ratio)):null);return{raster,ratio,styles,colours,dashes}}function linesOf2(pen,drawn){const alpha=drawn.count>MANY2?.6:1,lines=[];
for(let i=drawn.count-1;i>=0;i--)lines.push(lineOf(pen,drawn.type(i),drawn.x[i],drawn.y[i],drawn.toX[i],drawn.toY[i],alpha,0));return lines}function drawArrows(pen,drawn,lines){
const{raster,ratio}=pen,far=FAR*ratio;raster.lines(lines);for(let i=drawn.count-1;i>=0;i--){const x3=drawn.toX[i]*ratio,y2=drawn.toY[i]*ratio;if(x3<raster.left-
far||x3>raster.right+far||y2<raster.top-far||y2>raster.bottom+far)continue;head(pen,drawn.type(i),drawn.x[i],drawn.y[i],drawn.toX[i],drawn.toY[i])}}var FAR=24;function highlight(pen,drawn,arrow){
for(let i=0;i<drawn.count;i++){if(drawn.is(i,arrow))draw(pen,arrow.type,drawn.x[i],drawn.y[i],drawn.toX[i],drawn.toY[i],2)}}function sample(pen,type,width,height){
draw(pen,type,1,height/2,width-3,height/2,0)}function draw(pen,type,x3,y2,toX,toY,wider){pen.raster.lines([lineOf(pen,type,x3,y2,toX,toY,1,wider)]);head(pen,type,
x3,y2,toX,toY)}function lineOf({ratio,styles,colours,dashes},type,x3,y2,toX,toY,alpha,wider){const style=styles[type],length=Math.hypot(toX-x3,toY-y2)||1;const stop=style.
head==="open"||style.head==="bar"?0:Math.min(length,sizeOf(style)*.7)/length;return new Steps({x:x3*ratio,y:y2*ratio,toX:(toX-(toX-x3)*stop)*ratio,toY:(toY-(toY-
y2)*stop)*ratio,width:((style.width||1)+wider)*ratio,dash:dashes[type],colour:colours[type],alpha})}function sizeOf(style){return 5.5+(style.width||1)}function head({
raster,ratio,styles,colours},type,x3,y2,toX,toY){const style=styles[type],colour=colours[type],length=Math.hypot(toX-x3,toY-y2)||1;const ux=(toX-x3)/length,uy=(toY-
y2)/length,size2=sizeOf(style),half=size2*.5;const at=(along,across)=>[(toX+along*ux-across*uy)*ratio,(toY+along*uy+across*ux)*ratio];const stroke=(from,to)=>raster.
line(from[0],from[1],to[0],to[1],Math.max(1.5,style.width)*ratio,null,colour,1);switch(style.head){case"open":stroke(at(-size2,half),at(0,0));return stroke(at(-size2,
-half),at(0,0));case"bar":return stroke(at(0,half+1),at(0,-half-1));case"diamond":return raster.shape([at(0,0),at(-half,half),at(-size2,0),at(-half,-half)],colour,
1);case"double":raster.shape([at(-.8*size2,0),at(-1.8*size2,half),at(-1.8*size2,-half)],colour,1)}raster.shape([at(0,0),at(-size2,half),at(-size2,-half)],colour,
1)}var ArrowLayer=class{drawn=new Drawn;omitted=0;chooser=new Chooser;lines=[];pen=null;prepare(scene,part,raster,ratio,moving){const{rows,store,legend}=scene;const more=this.
chooser.choose(store.arrows(),rows,part,legend.shown,!moving,this.drawn);if(!moving)this.omitted=more;this.lines=linesOf2(this.penFor(raster,ratio,scene),this.drawn)}draw(scene,raster,ratio){
drawArrows(this.penFor(raster,ratio,scene),this.drawn,this.lines)}penFor(raster,ratio,{about,palette}){if(this.pen?.raster!==raster||this.pen.colours!==palette.
marks){this.pen=penFor(raster,ratio,about.interactions,palette.marks)}return this.pen}};function connectorsOf({path,rows},{from:left,perPixel,scroll,width,height}){const found=[];if(!path)return found;const{pieces}=path,end=left+perPixel*width;let lastX=-1,
lastTop=0,lastBottom=0;const lower=index=>rows.all[index].top+rows.all[index].bar-insetOf(rows.all[index])-1-scroll;for(let i=firstPiece(path,left);i>0&&i<pieces.
length&&pieces[i].from<=end;i++){const piece=pieces[i],before=pieceBefore(pieces,i);if(piece.threadKey===void 0||before?.threadKey===void 0||before.threadKey===
piece.threadKey)continue;const from=rows.of(before.threadKey),to=rows.of(piece.threadKey);if(from<0||to<0||from===to)continue;const top=Math.max(-2,Math.min(lower(
from),lower(to))),bottom=Math.min(height+2,Math.max(lower(from),lower(to)));const x3=(piece.from-left)/perPixel;if(bottom<0||top>height||Math.round(x3)===lastX&&
top>=lastTop&&bottom<=lastBottom)continue;[lastX,lastTop,lastBottom]=[Math.round(x3),top,bottom];found.push({x:x3,top,bottom})}return found}function pieceBefore(pieces,i){
while(i>0&&pieces[i-1].to===pieces[i].from)if(pieces[--i].kind!=="pause")return pieces[i];return void 0}function drawConnector({x:x3,top,bottom},raster,ratio,palette){
const edge2=Math.max(1,Math.round(ratio)),left=Math.round(x3*ratio)-edge2;const first2=Math.round(top*ratio),end=Math.round(bottom*ratio)+edge2;raster.fill(left-
edge2,left+3*edge2,first2,end,palette.background);raster.fill(left,left+2*edge2,first2-edge2,end,palette.path)}function firstPiece({pieces},time){let low=0,high=pieces.
length;while(low<high){const middle=low+high>>1;if(pieces[middle].to>time)high=middle;else low=middle+1}return Math.max(1,low)}var Parts=class{count=0;lanes=[];places=[];from=[];to=[];clear(){this.count=0}add(lane,places,from,to){this.lanes[this.count]=lane;this.places[this.count]=places;
this.from[this.count]=from;this.to[this.count]=to;this.count++}};var WholeStore=class{constructor(window2){this.window=window2;this.tables=[window2.arrows];this.
lanes=new Map(window2.lanes.map(lane=>[lane.thread,lane]))}window;lanes;tables;parts(thread,from,to,_resolution,into){into.clear();const lane=this.lanes.get(thread);
if(lane)into.add(lane,this.window.places,from,to)}arrows(){return this.tables}omitted(){return this.window.arrowsOmitted}request(){}grow(){}end(){}close(){}waiting(){
return false}problem(){return""}};var LanePainter=class{constructor(painter){this.painter=painter}painter;parts=new Parts;paint(scene,row,scroll,perPixel,ratio){const{store,about,legend}=scene,{
painter,parts}=this,{lanes,reach:reach2}=painter;const[top,bottom]=barOf(row,scroll,ratio);const from=painter.timeAt(Math.max(0,lanes.left-reach2)),to=painter.timeAt(
Math.min(lanes.width,lanes.right+reach2));if(row.thread===0){if(row.collapsed)this.paintGroup(scene,row.group,from,to,top,bottom);return}store.parts(row.thread,
from,to,perPixel*ratio,parts);if(store.waiting())this.paintMissing(scene,row.place,from,to,(top+bottom)/2,2*ratio);painter.lane(parts,top,bottom);const died=about.
threads.died[row.place]??-1;if(died>=0&&died<to)painter.dead(died,about.duration,top,bottom);painter.instants(parts,top,bottom,legend.shown);if(legend.path)painter.
ribbon(parts,bottom-3*ratio,bottom)}paintMissing({about,palette},place,from,to,middle,half){const{parts,painter}=this,born=about.threads.born[place]??0,died=about.
threads.died[place]??-1;const end=Math.min(to,died<0?about.duration:died);let at=Math.max(from,born);for(let part=0;part<=parts.count;part++){const until=part<parts.
count?Math.min(end,parts.from[part]):end;if(until>at)painter.bar(at,until,middle-half,middle+half,palette.missing,0);if(part<parts.count)at=Math.max(at,parts.to[part])}}paintGroup({
groupTimes,palette},group,from,to,top,bottom){const overview=groupTimes.get(group);if(!overview)return;const{width,times:times2}=overview,buckets=times2[0]?.length??
0;let most=1;for(let bucket=0;bucket<buckets;bucket++){most=Math.max(most,times2.reduce((sum,column)=>sum+(column[bucket]??0),0))}for(let bucket=Math.max(0,Math.
floor(from/width));bucket<buckets&&bucket*width<to;bucket++){let y2=bottom,total=0;for(let state=0;state<TIMED_STATES;state++){total+=times2[state]?.[bucket]??0;
const above=Math.round(bottom-(bottom-top)*total/most);if(above<y2)this.painter.bar(bucket*width,(bucket+1)*width,above,y2,palette.states[state].plain,0);y2=above}}}};var Overlay=class{constructor(scene,pen,drawn){this.scene=scene;this.pen=pen;this.drawn=drawn}scene;pen;drawn;static isNeeded({hover,selected,range,pauses,legend}){
return hover!==null||selected!==null||range!==null||legend.pauses&&pauses?.isEmpty===false}draw(){const{scene,pen}=this,{view,palette,range,hover,selected}=scene,
{raster}=pen;if(scene.legend.pauses)scene.pauses?.draw(raster,view,palette.pause);const arrow=arrowOf(selected?.hit)??arrowOf(hover);if(arrow)highlight(pen,this.
drawn,arrow);if(hover)this.outline(hover.thread,...rangeOf(scene,hover),1);if(selected){const{thread,from,to}=selected;this.outline(thread,from,to,2);if(scene.flash>
0)this.halo(thread,from,to)}if(!range)return;const column=time=>Math.round((time-view.from)*raster.width/view.length);raster.tint(column(range[0]),column(range[1]),
0,raster.height,palette.accent,.2)}box(thread,from,to){const{rows,view,scroll}=this.scene,{raster,ratio}=this.pen,{width,height}=raster,index=rows.of(thread);if(index<
0)return null;const[top,bottom]=barOf(rows.all[index],scroll,ratio),perPixel=view.length/width;const left=Math.max(-20,Math.floor((from-view.from)/perPixel));const right=Math.
min(width+20,Math.max(left+2,Math.ceil((to-view.from)/perPixel)));return right<0||left>width||top>height||bottom<0?null:[left,right,top,bottom]}outline(thread,from,to,thick){
const box=this.box(thread,from,to),{raster,ratio}=this.pen,{palette}=this.scene;if(!box)return;const edge2=Math.round(thick*ratio),[left,right,top,bottom]=box;raster.
frame(left-edge2,right+edge2,top-edge2,bottom+edge2,Math.ceil(ratio),palette.background);raster.frame(left,right,top,bottom,edge2,palette.text)}halo(thread,from,to){
const box=this.box(thread,from,to),{raster,ratio}=this.pen,{palette,flash}=this.scene;if(!box)return;const away=Math.round((4+9*(1-flash))*ratio),thick=Math.round(
4*ratio);const left=box[0]-away,right=box[1]+away,top=box[2]-away,bottom=box[3]+away;raster.tint(left-thick,right+thick,top-thick,top,palette.accent,flash);raster.
tint(left-thick,right+thick,bottom,bottom+thick,palette.accent,flash);raster.tint(left-thick,left,top,bottom,palette.accent,flash);raster.tint(right,right+thick,
top,bottom,palette.accent,flash)}};function arrowOf(hit){return hit?.kind==="arrow"?hit.arrow:null}function rangeOf({about,rows},hit){switch(hit.kind){case"span":
return[hit.lane.spans.start[hit.row],hit.lane.spans.end[hit.row]];case"mix":return[hit.lane.mixes.start[hit.row],hit.lane.mixes.end[hit.row]];case"path":return[
hit.lane.path.start[hit.row],hit.lane.path.end[hit.row]];case"instant":return[hit.lane.instants.time[hit.row],hit.lane.instants.time[hit.row]];case"arrow":return[
hit.arrow.toTime,hit.arrow.toTime];case"dead":return[about.threads.died[rows.all[rows.of(hit.thread)]?.place??-1]??0,about.duration]}}var PATTERN_SIZE=8;var patterns={none:()=>false,dots:(x3,y2)=>x3<2&&y2<2||x3>>1===2&&y2>>1===2,diagonal:(x3,y2)=>(x3+y2)%8<2,horizontal:(_,y2)=>y2%4===1,vertical:x3=>x3%
4===0,cross:(x3,y2)=>(x3+y2)%8===0||(x3-y2+8)%8===0,falling:(x3,y2)=>(x3-y2+8)%8<2,grid:(x3,y2)=>x3%8===3||y2%8===3,checks:(x3,y2)=>((x3>>1)+(y2>>1))%2===0};function paletteOf(about,root2,light=false){
const style=getComputedStyle(root2);const colour=(name,otherwise)=>(light?"":style.getPropertyValue(name).trim())||otherwise;const background=colour("--surface",
"#ffffff");const back=parsed(background),dark=brightness(back)<128;const text=colour("--text",dark?"#e8eaed":"#1f2328"),line=colour("--line",dark?"#3a3f46":"#d8\
dce2"),accent=colour("--accent","#2563eb"),pause=colour("--part-4","#b8495c");const path=dark?about.path.dark:about.path.light;const states=about.states.map(state=>dark?
state.dark:state.light);const interactions=about.interactions.map(interaction=>dark?interaction.dark:interaction.light);return{dark,interactions,marks:Uint32Array.
from(interactions.map(css=>pixel(parsed(css)))),plain:Uint32Array.from(states,css=>pixel(parsed(css))),states:about.states.map((state,code)=>{const plain=parsed(
states[code]);return{plain:pixel(plain),drawn:pixel(inkOf(plain)),pattern:patternOf(state.pattern,code)}}),background:pixel(back),stripe:pixel(mixed(back,parsed(
text),dark?.035:.025)),cursor:pixel(mixed(back,parsed(accent),.13)),grid:pixel(mixed(back,parsed(line),.55)),missing:pixel(mixed(back,parsed(text),.09)),path:pixel(
parsed(path)),text:pixel(parsed(text)),accent:pixel(parsed(accent)),pause:pixel(parsed(pause)),css:{background,text,line,accent,path,states,pause,faint:colour("\
--muted",dark?"#9aa1ab":"#535e70")}}}function inkOf(colour){return brightness(colour)>150?mixed(colour,[0,0,0],.3):mixed(colour,[255,255,255],.45)}function patternOf(name,code){
const others=Object.values(patterns);return patterns[name.toLowerCase()]??others[1+code%(others.length-1)]}function swatch(canvas,colours,width,height){canvas.width=
width;canvas.height=height;const context=canvas.getContext("2d");const image=context.createImageData(width,height),pixels=new Uint32Array(image.data.buffer);for(let i=0;i<
pixels.length;i++){const x3=i%width,y2=Math.floor(i/width);pixels[i]=colours.pattern(x3%PATTERN_SIZE,y2%PATTERN_SIZE)?colours.drawn:colours.plain}context.putImageData(
image,0,0)}var measure=null;var cache=new Map;function parsed(css){let colour=cache.get(css);if(!colour){measure??=Object.assign(document.createElement("canvas"),
{width:1,height:1}).getContext("2d",{willReadFrequently:true});measure.fillStyle="#808080";measure.fillStyle=css;measure.fillRect(0,0,1,1);const[red,green,blue]=measure.
getImageData(0,0,1,1).data;cache.set(css,colour=[red,green,blue])}return colour}function mixed(a,b,part){return[0,1,2].map(i=>Math.round(a[i]+part*(b[i]-a[i])))}
function brightness([red,green,blue]){return .299*red+.587*green+.114*blue}function pixel([red,green,blue]){return(4278190080|blue<<16|green<<8|red)>>>0}var NOT_SOLID=0;var HELD=Uint8Array.of(DEADLOCKED,BLOCKED,WAITING,TIMED_WAITING,PARKED,JOINING,IN_IO,SLEEPING);var LEAST_SHARE=1/128;var PATTERN_FROM=6;var MARKS_APART=7;
var TICKS_APART=4;var Painter=class{lanes=new Raster(new Uint32Array(1),1,1);lanesImage=new ImageData(1,1);overlay=this.lanes;overlayImage=this.lanesImage;pixels=new Uint32Array(
1);width=1;height=1;ratio=1;strip=1;solid=new Uint8Array(1);shares=new Float32Array(1);marked=new Int32Array(8);palette;from=0;scale=1;source=new Int32Array(1);stretched=new Uint32Array(
1);phase=0;resize(width,height,ratio,palette){this.width=Math.max(1,width);this.height=Math.max(1,height);this.ratio=ratio;this.palette=palette;this.strip=this.
width+PATTERN_SIZE*Math.ceil(ratio);const area=this.width*this.height,patterns2=palette.states.length*this.patternRows()*this.strip;const buffer=new ArrayBuffer(
4*(2*area+patterns2));this.pixels=new Uint32Array(buffer);this.lanes=new Raster(this.pixels,this.width,this.height);this.lanesImage=new ImageData(new Uint8ClampedArray(
buffer,0,4*area),this.width,this.height);this.overlay=new Raster(new Uint32Array(buffer,4*area,area),this.width,this.height);this.overlayImage=new ImageData(new Uint8ClampedArray(
buffer,4*area,4*area),this.width,this.height);this.solid=new Uint8Array(this.width+1);this.shares=new Float32Array(TIMED_STATES*(this.width+1));this.source=new Int32Array(
this.width);this.stretched=new Uint32Array(this.width);this.drawPatterns()}patternRows(){return PATTERN_SIZE*Math.max(1,Math.round(this.ratio))}drawPatterns(){const zoom=Math.
max(1,Math.round(this.ratio)),rows=this.patternRows();let at=2*this.width*this.height;for(const colours of this.palette.states){for(let y2=0;y2<rows;y2++){for(let x3=0;x3<
this.strip;x3++){const drawn=colours.pattern(Math.floor(x3/zoom)%PATTERN_SIZE,Math.floor(y2/zoom));this.pixels[at++]=drawn?colours.drawn:colours.plain}}}}begin(from,nanosecondsAPixel){
this.from=from;this.scale=1/nanosecondsAPixel;const period=this.patternRows();this.phase=(Math.round(from*this.scale)%period+period)%period}move(left,up){const area=this.
width*this.height,by=up*this.width+left;if(by>0)this.pixels.copyWithin(0,by,area);else this.pixels.copyWithin(-by,0,area+by)}stretch(from,nanosecondsAPixel){const{
pixels,width,height,source,stretched}=this,step=nanosecondsAPixel*this.scale;let left=0,right=0;for(let column=0,at=(from-this.from)*this.scale+step/2;column<width;column++,
at+=step){source[column]=Math.floor(at);if(at<0)left=column+1;if(at<width)right=column+1}this.begin(from,nanosecondsAPixel);if(right<=left)return[0,0];const filled=stretched.
subarray(left,right);for(let y2=0,row=0;y2<height;y2++,row+=width){for(let column=left;column<right;column++)stretched[column]=pixels[row+source[column]];pixels.
set(filled,row+left)}return[left,right]}cover(){const area=this.width*this.height;this.pixels.copyWithin(area,0,area)}band(top,bottom,colour){this.fill(0,this.width,
Math.round(top),Math.round(bottom),colour)}timeAt(column){return this.from+column/this.scale}rule(x3,colour){const column=Math.round(x3),{lanes}=this;if(column>=
lanes.left&&column<lanes.right)this.upright(column,lanes.top,lanes.bottom,colour)}bar(from,to,top,bottom,colour,least=1){const left=Math.max(0,Math.floor((from-
this.from)*this.scale));const right=Math.min(this.width,Math.max(left+least,Math.round((to-this.from)*this.scale)));if(right>left)this.fill(left,right,Math.round(
top),Math.round(bottom),colour)}get reach(){return Math.ceil(PATTERN_FROM*this.ratio)+1}lane(parts,top,bottom){const{lanes,reach:reach2}=this,left=Math.max(0,lanes.
left-reach2),right=Math.min(this.width,lanes.right+reach2);this.solid.fill(NOT_SOLID,left,right);this.shares.fill(0,TIMED_STATES*left,TIMED_STATES*(right+1));for(let part=0;part<
parts.count;part++)this.addUp(parts.lanes[part],parts.from[part],parts.to[part],left,right);this.put(left,right,Math.round(top),Math.round(bottom))}dead(died,end,top,bottom){
const middle=(top+bottom)/2,half=Math.max(.5,this.ratio/2);this.bar(died,end,middle-half,middle+half,this.palette.states[DEAD].plain,0)}addUp(lane,from,to,least,most){
const{spans,mixes}=lane;for(let row=firstEndingAfter(spans.end,spans.count,from);row<spans.count;row++){const start=spans.start[row];if(start>=to)break;const end=spans.
end[row];this.addSpan(spans.state[row],start<from?from:start,end>to?to:end,least,most)}for(let row=firstEndingAfter(mixes.end,mixes.count,from);row<mixes.count&&
mixes.start[row]<to;row++){this.addMix(mixes.times,TIMED_STATES*row,Math.max(from,mixes.start[row]),Math.min(to,mixes.end[row]),mixes.end[row]-mixes.start[row],
least,most)}}addSpan(state,start,end,least,most){let left=(start-this.from)*this.scale,right=(end-this.from)*this.scale;if(right<=least||left>=most)return;if(left<
least)left=least;if(right>most)right=most;const first2=left|0,last=right|0;const shares=this.shares;if(first2===last){shares[TIMED_STATES*first2+state]+=right-left;
return}shares[TIMED_STATES*first2+state]+=first2+1-left;if(last>first2+1)this.solid.fill(state+1,first2+1,last);shares[TIMED_STATES*last+state]+=right-last}addMix(times2,at,start,end,length,least,most){
const left=(start-this.from)*this.scale,right=(end-this.from)*this.scale,{shares}=this;if(right<=least||left>=most||length<=0)return;for(let column=left<least?least:
left|0,last=right>=most?most-1:right|0;column<=last;column++){const weight=((right<column+1?right:column+1)-(left>column?left:column))/length,to=TIMED_STATES*column;
for(let state=0;state<TIMED_STATES;state++)shares[to+state]+=times2[at+state]*weight}}put(left,right,top,bottom){const{solid,shares,lanes}=this;for(let column=left;column<
right;){const state=solid[column];if(state===NOT_SOLID){if(column>=lanes.left&&column<lanes.right)this.stack(column,top,bottom);column++;continue}const first2=column++;
while(column<right&&(solid[column]===state||solid[column]===NOT_SOLID&&shares[TIMED_STATES*column+state-1]>.99))column++;this.run(state-1,first2,column,top,bottom)}}run(state,first2,end,top,bottom){
if(end-first2<PATTERN_FROM*this.ratio){this.fill(first2,end,top,bottom,this.palette.states[state].plain);return}const{pixels,width,strip,lanes}=this,rows=this.patternRows(),
pattern=2*this.width*this.height+state*rows*this.strip+this.phase;const left=Math.max(first2,lanes.left),right=Math.min(end,lanes.right);if(right<=left)return;for(let y2=Math.
max(lanes.top,top),last=Math.min(lanes.bottom,bottom);y2<last;y2++){const row=pattern+(y2-top)%rows*strip;if(right-left>NARROW)pixels.copyWithin(y2*width+left,row+
left,row+right);else for(let x3=left;x3<right;x3++)pixels[y2*width+x3]=pixels[row+x3]}}stack(column,top,bottom){const{shares}=this,{plain}=this.palette,height=bottom-
top,at=TIMED_STATES*column;const running=shares[at+RUNNING];let y2=top,total=running,colour=plain[RUNNING];for(let i=0;i<HELD.length;i++){const part=shares[at+HELD[i]];
if(part<LEAST_SHARE)continue;total+=part;colour=plain[HELD[i]];const below2=Math.min(bottom,y2+Math.max(1,Math.round(part*height)));this.upright(column,y2,below2,
colour);y2=below2}if(running>=LEAST_SHARE)colour=plain[RUNNING];const end=total>.97?bottom:Math.min(bottom,y2+Math.round(running*height));if(y2<end)this.upright(
column,y2,end,colour)}upright(column,top,bottom,colour){const{pixels,width,lanes}=this,end=(bottom>lanes.bottom?lanes.bottom:bottom)*width;for(let at=(top<lanes.
top?lanes.top:top)*width+column;at<end;at+=width)pixels[at]=colour}fill(left,right,top,bottom,colour){this.lanes.fill(left,right,top,bottom,colour)}ribbon(parts,top,bottom){
for(let part=0;part<parts.count;part++){const{path}=parts.lanes[part],from=parts.from[part],to=parts.to[part];for(let row=firstEndingAfter(path.end,path.count,from);row<
path.count&&path.start[row]<to;row++){this.ribbonPart(Math.max(from,path.start[row]),Math.min(to,path.end[row]),top,bottom,path.latency[row]===1)}}}ribbonPart(from,to,top,bottom,latency){
const left=Math.max(0,Math.floor((from-this.from)*this.scale)),right=Math.min(this.width,Math.max(left+1,Math.round((to-this.from)*this.scale)));if(right<=left)
return;const first2=Math.round(top),end=Math.round(bottom),edge2=Math.max(1,Math.round(this.ratio));this.fill(left,right,first2-edge2,end+edge2,this.palette.background);
if(!latency)return this.fill(left,right,first2,end,this.palette.path);const dash=Math.max(2,Math.round(2*this.ratio));for(let x3=left;x3<right;x3+=2*dash)this.fill(
x3,Math.min(right,x3+dash),first2,end,this.palette.path)}instants(parts,top,bottom,shown){this.marked.fill(-100);for(let part=0;part<parts.count;part++){const{instants}=parts.
lanes[part],to=parts.to[part];for(let row=firstAt(instants.time,instants.count,parts.from[part]);row<instants.count&&instants.time[row]<=to;row++){const type=instants.
type[row],column=Math.floor((instants.time[row]-this.from)*this.scale);if(!shown[type]||column-this.marked[type]<(type===TIMEOUT?TICKS_APART:MARKS_APART)*this.ratio)
continue;this.marked[type]=column;if(type===TIMEOUT)this.tick(column,top,bottom,this.palette.marks[type]);else this.mark(column,top,this.palette.marks[type])}}}tick(column,top,bottom,colour){
const wide=Math.max(1,Math.round(this.ratio)),first2=Math.round(top)-3*wide,end=Math.round(bottom)+2*wide;this.fill(column-wide,column+2*wide,first2+wide,end,this.
palette.background);this.fill(column,column+wide,first2,end,colour);this.fill(column-2*wide,column+3*wide,first2,first2+wide,colour)}mark(column,top,colour){const half=Math.
round(2.5*this.ratio),foot=Math.round(top)+Math.round(this.ratio);for(let i=0;i<=half;i++)this.fill(column-i,column+i+1,foot-i,foot-i+1,colour)}};var Picker=class{parts=new Parts;at(scene,x3,y2,perPixel,arrow){const{rows,view,scroll,store,legend}=scene,row=rows.all[rows.at(y2+scroll)];if(!row||y2+scroll>=
row.top+row.height)return null;const{thread}=row,time=view.from+x3*perPixel,inLane=y2+scroll-row.top,inset=insetOf(row);if(inLane>=row.bar)return arrow&&{kind:"\
arrow",thread:arrow.toThread,arrow};if(thread!==0)store.parts(thread,view.from,view.to,perPixel,this.parts);else this.parts.clear();return(thread!==0?this.instant(
scene,thread,time,4*perPixel,inLane<=inset+3):null)??(arrow&&{kind:"arrow",thread:arrow.toThread,arrow})??(legend.path&&inLane>=row.bar-inset-4?this.pathPart(thread,
time,perPixel):null)??this.interval(thread,time,perPixel)??deadAt(scene,row.place,thread,time)}instant({legend},thread,time,reach2,above){const{lanes,places,from,
to,count:count2}=this.parts;let best=reach2,found=null;for(let part=0;part<count2;part++){const lane=lanes[part],{instants}=lane,last=Math.min(time+reach2,to[part]);
let row=firstAt(instants.time,instants.count,Math.max(time-reach2,from[part]));for(;row<instants.count&&instants.time[row]<=last;row++){const distance=Math.abs(
instants.time[row]-time),type=instants.type[row];if(distance>best||!legend.shown[type]||!above&&type!==TIMEOUT)continue;best=distance;found={kind:"instant",thread,
lane,places:places[part],row}}}return found}pathPart(thread,time,reach2){const{lanes,places,from,to,count:count2}=this.parts;for(let part=0;part<count2;part++){
const lane=lanes[part],{path}=lane;if(time<from[part]||time>to[part])continue;const row=firstEndingAfter(path.end,path.count,time-reach2);if(row<path.count&&path.
start[row]<=time+reach2)return{kind:"path",thread,lane,places:places[part],row}}return null}interval(thread,time,reach2){const{lanes,places:tables,from,to,count:count2}=this.
parts;for(let part=0;part<count2;part++){if(time<from[part]||time>to[part])continue;const lane=lanes[part],places=tables[part],{spans,mixes}=lane;for(const at of[
time,time-reach2/2,time+reach2/2]){const mix=firstEndingAfter(mixes.end,mixes.count,at);if(mix<mixes.count&&mixes.start[mix]<=at)return{kind:"mix",thread,lane,places,
row:mix};const span=firstEndingAfter(spans.end,spans.count,at);if(span<spans.count&&spans.start[span]<=at)return{kind:"span",thread,lane,places,row:span}}}return null}listed(scene,first2,last,perPixel){
const{rows,view,store,legend}=scene,hits=[];let lanes=0;for(let index=first2;index<=last;index++){const{thread}=rows.all[index];if(thread===0)continue;lanes++;store.
parts(thread,view.from,view.to,perPixel,this.parts);for(let part=0;part<this.parts.count;part++)this.list(hits,thread,part,legend.shown)}return{hits,lanes}}list(hits,thread,part,shown){
const lane=this.parts.lanes[part],places=this.parts.places[part],from=this.parts.from[part],to=this.parts.to[part];const{spans,mixes,instants}=lane;for(let row=firstEndingAfter(
spans.end,spans.count,from);row<spans.count&&spans.start[row]<to;row++){if(spans.start[row]>=from||part===0)hits.push({kind:"span",thread,lane,places,row})}for(let row=firstEndingAfter(
mixes.end,mixes.count,from);row<mixes.count&&mixes.start[row]<to;row++){hits.push({kind:"mix",thread,lane,places,row})}for(let row=firstAt(instants.time,instants.
count,from);row<instants.count&&instants.time[row]<to;row++){if(shown[instants.type[row]])hits.push({kind:"instant",thread,lane,places,row})}}hasSums({rows,view,
store},first2,last,perPixel){const{parts}=this;for(let index=first2;index<=last;index++){if(rows.all[index].thread===0)continue;store.parts(rows.all[index].thread,
view.from,view.to,perPixel,parts);for(let part=0;part<parts.count;part++){const{mixes}=parts.lanes[part],found=firstEndingAfter(mixes.end,mixes.count,parts.from[part]);
if(found<mixes.count&&mixes.start[found]<parts.to[part])return true}}return false}};function deadAt({about},place,thread,time){const died=about.threads.died[place]??
-1;return thread!==0&&died>=0&&time>=died&&time<=about.duration?{kind:"dead",thread}:null}var BUDGET=2;var BUDGET_AT_REST=6;var CHEAP=3.5;var LaneCanvas=class{canvas=element("canvas",{class:"timeline-lanes",tabindex:0,role:"application","aria-roledes\
cription":"timeline"});width=1;height=1;ratio=1;picture=null;invalid=new Set;rowCost=0;context=this.canvas.getContext("2d",{alpha:false,willReadFrequently:true});painter=new Painter;lanePainter=new LanePainter(
this.painter);picker=new Picker;arrows=new ArrowLayer;connectors=[];resize(width,height,palette){this.width=Math.max(1,width);this.height=Math.max(1,height);this.
ratio=devicePixelRatio;this.canvas.width=Math.round(this.width*this.ratio);this.canvas.height=Math.round(this.height*this.ratio);this.canvas.style.width=`${this.
width}px`;this.canvas.style.height=`${this.height}px`;this.context.fillStyle=palette.css.background;this.context.fillRect(0,0,this.canvas.width,this.canvas.height);
this.painter.resize(this.canvas.width,this.canvas.height,this.ratio,palette);this.picture=null}invalidate(){this.picture=null}invalidateRows(threads){for(const thread of threads){
const index=this.picture?.rows.of(thread)??-1;if(index>=0)this.invalid.add(index)}}invalidateVisible(scene){const[first2,last]=this.visible(scene);for(let index=first2;index<=
last;index++)this.invalid.add(index)}rest(scene){if(!this.picture||this.picture.fresh)return;this.picture.fresh=true;this.invalidateVisible(scene)}get done(){return this.
picture!==null&&this.invalid.size===0}get omitted(){return this.arrows.omitted}perPixel(view){return view.length/this.width}visible({rows,scroll}){return[Math.max(
0,rows.at(scroll)),Math.min(rows.all.length-1,rows.at(scroll+this.height))]}hit(scene,x3,y2){return this.picker.at(scene,x3,y2,this.perPixel(scene.view),this.arrows.
drawn.at(x3,y2))}listed(scene){return this.picker.listed(scene,...this.visible(scene),this.perPixel(scene.view))}hasSums(scene){return this.picker.hasSums(scene,
...this.visible(scene),this.perPixel(scene.view))}draw(scene,moving){const[first2,last]=this.visible(scene),cheap=this.rowCost*(last-first2+1)<CHEAP,{painter}=this;
if(this.picture?.rows!==scene.rows||!this.canFollow(scene)||cheap&&!this.isAt(scene)){this.paintAll(scene,moving)}else{const edges=this.follow(scene,moving);this.
prepare(scene,moving);for(const edge2 of edges)this.paint(scene,edge2);this.paintInvalid(scene,moving?BUDGET:BUDGET_AT_REST)}const covered=Overlay.isNeeded(scene);
if(covered){painter.cover();new Overlay(scene,this.arrows.penFor(painter.overlay,this.ratio,scene),this.arrows.drawn).draw()}this.context.putImageData(covered?painter.
overlayImage:painter.lanesImage,0,0)}isAt({view,scroll}){const{picture}=this,perPixel=view.length/this.canvas.width;return picture!==null&&picture.from===view.from&&
picture.perPixel===perPixel&&picture.scroll===scroll}canFollow({view,scroll}){const{from,perPixel,scroll:scrolled}=this.picture,length=perPixel*this.canvas.width;
const zoom=view.length/length,common=Math.min(view.to,from+length)-Math.max(view.from,from);return zoom<4&&zoom>.25&&common>.2*Math.min(length,view.length)&&Math.
abs(scroll-scrolled)<.8*this.height}paintAll(scene,moving){const{view,scroll,rows}=scene,{width,height}=this.canvas,perPixel=view.length/width;const began=performance.
now(),[first2,last]=this.visible(scene);this.picture={from:view.from,perPixel,scroll,rows,fresh:true};this.painter.begin(view.from,perPixel);this.invalid.clear();
this.prepare(scene,moving);this.paint(scene,[0,width,0,height]);this.measure(performance.now()-began,last-first2+1)}measure(milliseconds,rows){if(rows>0)this.rowCost+=
.3*(milliseconds/rows-this.rowCost)}follow(scene,moving){const{view,scroll}=scene,picture=this.picture,{width,height}=this.canvas,perPixel=view.length/width;const edges=[];
if(Math.abs(perPixel/picture.perPixel-1)>1e-9)this.stretch(scene,perPixel);const left=Math.round((view.from-picture.from)/perPixel),up=Math.round((scroll-picture.
scroll)*this.ratio);if(left!==0||up!==0){this.painter.move(left,up);picture.fresh=false;if(left!==0)edges.push(left>0?[width-left,width,0,height]:[0,-left,0,height]);
if(up!==0)edges.push(up>0?[0,width,height-up,height]:[0,width,0,-up])}picture.from=moving?picture.from+left*perPixel:view.from;picture.scroll=moving?picture.scroll+
up/this.ratio:scroll;this.painter.begin(picture.from,perPixel);return edges}stretch(scene,perPixel){const picture=this.picture,{from}=scene.view,[left,right]=this.
painter.stretch(from,perPixel);picture.from=from;picture.perPixel=perPixel;picture.fresh=false;this.clear(scene,0,left);this.clear(scene,right,this.canvas.width);
this.invalidateVisible(scene)}prepare(scene,moving){const{from,perPixel,scroll}=this.picture,{width,height,ratio}=this;const part={from,perPixel:perPixel*ratio,
scroll,width,height};this.arrows.prepare(scene,part,this.painter.lanes,ratio,moving);this.connectors=scene.legend.path?connectorsOf(scene,part):[]}paintInvalid(scene,budget){
const{all}=scene.rows,{scroll}=this.picture,[first2,last]=this.visible(scene),began=performance.now();let painted=0;for(const index of this.invalid){this.invalid.
delete(index);if(index<first2||index>last)continue;const{top,height}=all[index],edge2=y2=>Math.round((y2-scroll)*this.ratio);this.paint(scene,[0,this.canvas.width,
edge2(top),edge2(top+height)]);painted++;if(performance.now()-began>budget)break}this.measure(performance.now()-began,painted)}paint(scene,area){const{painter,ratio,
arrows}=this,{rows}=scene,{scroll,perPixel}=this.picture,[,,top,bottom]=area;painter.lanes.clip(...area);const first2=Math.max(0,rows.at(scroll+top/ratio));const last=Math.
min(rows.all.length-1,rows.at(scroll+(bottom-.5)/ratio));this.paintGround(scene,first2,last);for(let index=first2;index<=last;index++)this.lanePainter.paint(scene,
rows.all[index],scroll,perPixel,ratio);for(const connector of this.connectors)drawConnector(connector,painter.lanes,ratio,scene.palette);arrows.draw(scene,painter.
lanes,ratio);painter.lanes.clip()}clear(scene,left,right){if(left>=right)return;this.painter.lanes.clip(left,right);this.paintGround(scene,...this.visible(scene));
this.painter.lanes.clip()}paintGround({rows,palette,cursor},first2,last){const{painter,ratio}=this,{from,perPixel,scroll}=this.picture;let end=0;for(let index=first2;index<=
last;index++){const row=rows.all[index],top=(row.top-scroll)*ratio,striped=row.thread===0||index%2===1;end=top+row.height*ratio;painter.band(top,end,index===cursor?
palette.cursor:striped?palette.stripe:palette.background)}painter.band(end,this.canvas.height,palette.background);const ticks=ticksOf(from,perPixel*ratio),to=from+
perPixel*this.canvas.width;for(let time=ticks.first,i=0;time<=to;time=ticks.first+ ++i*ticks.step){painter.rule((time-from)/perPixel,palette.grid)}}};var MOST_ROWS=1e3;var PAUSE=200;var Listing=class{constructor(text,jump){this.text=text;this.jump=jump}text;jump;root=element("div",{class:"timeline-listing",tabindex:0,
role:"region","aria-label":"The timeline as a table",hidden:true});timer=0;update(list2){clearTimeout(this.timer);if(this.root.hidden)return;this.timer=window.setTimeout(
()=>{const{hits,lanes,from,to}=list2();this.show(hits,from,to,lanes)},PAUSE)}close(){clearTimeout(this.timer)}show(hits,from,to,lanes){const{text}=this;const sorted=hits.
map(hit=>({hit,range:text.range(hit)})).sort((a,b)=>a.range[0]-b.range[0]||a.hit.thread-b.hit.thread);const body=element("tbody"),listed=sorted.slice(0,MOST_ROWS),
left=sorted.length-listed.length;for(const{hit,range:range2}of listed)body.append(this.row(hit,range2,to-from));const omitted=left>0?` The first ${count(MOST_ROWS)}\
 rows; ${count(left)} more are left out: zoom in to see them.`:"";const precision=(to-from)/1e3,range=`from ${moment(from,precision)} to ${moment(to,precision)}`;
const caption=`What the ${lanes} visible lanes show ${range}: ${count(sorted.length)} rows.${omitted}`;const columns=["From","Length","Thread","What","More"].map(
title=>element("th",{scope:"col"},title));const top=this.root.scrollTop;this.root.replaceChildren(element("table",{},element("caption",{},caption),element("thea\
d",{},element("tr",{},...columns)),body));this.root.scrollTop=top}row(hit,[from,to],window2){const name=clipped(this.text.thread(hit.thread),120);const more=this.
text.facts(hit).filter(({what})=>!["Thread","From","Length","At","Since"].includes(what)||what==="At"&&hit.kind==="span");const cell=element("td",{class:"more"});
for(const{what,value,isName}of more){cell.append(element("span",{class:"fact"},`${what}: `,isName?element("bdi",{dir:"auto",title:clipped(value,600)},clipped(value,
120)):value))}return element("tr",{},element("td",{class:"number"},button(moment(from,window2/1e4),()=>this.jump(hit),{class:"link",title:"Jump to it in the lan\
es"})),element("td",{class:"number"},to>from?duration(to-from):""),element("td",{},element("bdi",{dir:"auto",title:name},clipped(name,60))),element("td",{},this.
text.title(hit)),cell)}};var STACKED=[RUNNING,SLEEPING,IN_IO,JOINING,PARKED,TIMED_WAITING,WAITING,BLOCKED,DEADLOCKED];var HEIGHT3=44;var BUCKETS=1024;var OverviewStrip=class{constructor(source,view,length,palette){
this.source=source;this.view=view;this.length=length;this.palette=palette;const handle=(side,label)=>{const made=element("div",{class:`timeline-handle ${side}`,
role:"slider",tabindex:0,"aria-label":label,"aria-valuemin":0});made.addEventListener("keydown",event=>this.press(event,side));return made};this.brush.append(handle(
"from","Start of the window"),handle("to","End of the window"));this.root.append(this.canvas,this.brush);this.root.addEventListener("pointerdown",event=>this.grab(
event));this.root.addEventListener("dblclick",()=>this.view.whole())}source;view;length;palette;root=element("div",{class:"timeline-overview"});canvas=element("\
canvas",{role:"img","aria-label":"Overview of the whole trace: how many threads were in which state"});brush=element("div",{class:"timeline-brush"});overview=null;asked=0;async show(threads,length){
this.length=Math.max(1,length);const asked2=++this.asked;this.root.setAttribute("aria-busy","true");try{const overview=await this.source.overview(threads,BUCKETS);
if(asked2!==this.asked)return;this.overview=overview;this.draw(this.palette)}finally{if(asked2===this.asked)this.root.removeAttribute("aria-busy")}}draw(palette){
this.palette=palette;const width=this.root.clientWidth,ratio=devicePixelRatio;this.canvas.width=Math.max(1,Math.round(width*ratio));this.canvas.height=Math.round(
HEIGHT3*ratio);const context=this.canvas.getContext("2d");context.fillStyle=palette.css.background;context.fillRect(0,0,this.canvas.width,this.canvas.height);if(this.
overview)this.stack(context,this.overview);this.place();this.describe()}stack(context,{width,times:times2}){const buckets=Math.max(...times2.map(column=>column.
length)),perPixel=this.length/this.canvas.width;const sum=bucket=>STACKED.reduce((total,state)=>total+(times2[state]?.[bucket]??0),0);let most=1;for(let bucket=0;bucket<
buckets;bucket++)most=Math.max(most,sum(bucket));for(let bucket=0;bucket<buckets;bucket++){const left=Math.round(bucket*width/perPixel),right=Math.round((bucket+
1)*width/perPixel);let y2=this.canvas.height,total=0;for(const state of STACKED){total+=times2[state]?.[bucket]??0;const above=Math.round(this.canvas.height*(1-
.94*total/most));context.fillStyle=this.palette.css.states[state];if(above<y2&&right>left)context.fillRect(left,above,right-left,y2-above);y2=above}}}place(){const left=100*
this.view.from/this.length,right=100*this.view.to/this.length;this.brush.style.left=`${left}%`;this.brush.style.width=`max(${right-left}%, 3px)`}describe(){const[
from,to]=this.brush.children;for(const[handle,value]of[[from,this.view.from],[to,this.view.to]]){handle.setAttribute("aria-valuemax",String(Math.round(this.length)));
handle.setAttribute("aria-valuenow",String(Math.round(value)));handle.setAttribute("aria-valuetext",`${moment(value,this.view.length/1e3)}, window of ${duration(
this.view.length)}`)}}grab(event){if(event.button!==0)return;event.preventDefault();const box=this.root.getBoundingClientRect(),timeAt=x3=>(x3-box.left)/box.width*
this.length;const target=event.target,start=timeAt(event.clientX),{from,to}=this.view;let move2;if(target.classList.contains("from"))move2=time=>this.view.set(Math.
min(time,to),Math.max(time,to));else if(target.classList.contains("to"))move2=time=>this.view.set(Math.min(time,from),Math.max(time,from));else if(target===this.
brush&&!this.view.isWhole)move2=time=>this.moveTo(from+time-start,to-from);else move2=time=>Math.abs(time-start)>4/box.width*this.length?this.view.set(Math.min(
start,time),Math.max(start,time)):void 0;this.drag(event,x3=>move2(Math.max(0,Math.min(this.length,timeAt(x3)))),()=>{if(target!==this.brush&&!target.classList.
contains("timeline-handle")&&this.view.from===from&&this.view.to===to)this.moveTo(start-(to-from)/2,to-from)})}moveTo(from,length){const start=Math.max(0,Math.min(
this.length-length,from));this.view.set(start,start+length)}drag(event,move2,end){this.root.setPointerCapture(event.pointerId);const moved=next=>move2(next.clientX);
const released=()=>{this.root.removeEventListener("pointermove",moved);this.root.removeEventListener("pointerup",released);this.root.removeEventListener("pointe\
rcancel",released);end()};this.root.addEventListener("pointermove",moved);this.root.addEventListener("pointerup",released);this.root.addEventListener("pointerca\
ncel",released)}press(event,side){const step=(event.shiftKey?.1:.01)*this.length,{from,to}=this.view;const by=event.key==="ArrowLeft"||event.key==="ArrowDown"?-step:
event.key==="ArrowRight"||event.key==="ArrowUp"?step:0;if(by===0)return;event.preventDefault();event.stopPropagation();if(side==="from")this.view.set(Math.max(0,
Math.min(from+by,to-1)),to);else this.view.set(from,Math.min(this.length,Math.max(to+by,from+1)))}};var Range=class{constructor(view){this.view=view;this.back=button("←",()=>view.back(),{"aria-label":"Back to the window before",title:"Back to the window befo\
re (Backspace)"});this.forward=button("→",()=>view.forward(),{"aria-label":"Forward to the next window",title:"Forward (Shift+Backspace)"});this.whole=button(
"Whole trace",()=>view.whole(),{title:"Show the whole trace (0)"});const nearer=button("+",()=>view.zoom(.5),{"aria-label":"Zoom in",title:"Zoom in (+)"});const farther=button(
"−",()=>view.zoom(2),{"aria-label":"Zoom out",title:"Zoom out (-)"});this.root.append(this.back,this.forward,this.from,element("span",{"aria-hidden":"true"},"\
–"),this.to,farther,nearer,this.whole,element("button",{type:"submit",class:"unseen",tabindex:-1},"Go"));this.root.addEventListener("submit",event=>{event.preventDefault();
this.go()});for(const input of[this.from,this.to])input.addEventListener("change",()=>this.go())}view;root=element("form",{class:"timeline-range","aria-label":"\
Time range"});from=field("From");to=field("To");back;forward;whole;go(){const{view}=this,from=timeIn(this.from,view.from),to=timeIn(this.to,view.to);mark2(this.
from,from===null?EXPECTED:from>=view.end?`The trace ends at ${typed(view.end)}.`:"");mark2(this.to,to===null?EXPECTED:from!==null&&to<=from?"The end must be aft\
er the start.":"");if(!this.root.reportValidity()||from===null||to===null)return;view.show(from,to);for(const input of[this.from,this.to])input.dataset.shown=input.
value;this.show()}show(){const precision=10**Math.max(0,Math.floor(Math.log10(this.view.length))-3);for(const[input,time]of[[this.from,this.view.from],[this.to,
this.view.to]]){if(input.dataset.shown!==input.value&&this.isEditing(input))continue;const text=typed(Math.round(time/precision)*precision);if(input.value!==text)
input.value=text;input.dataset.shown=text;mark2(input,"")}this.back.disabled=!this.view.hasPast;this.forward.disabled=!this.view.hasFuture;this.whole.disabled=this.
view.isWhole}isEditing(input){const{activeElement}=document,other=input===this.from?this.to:this.from;return activeElement===input&&input.matches(":focus-visibl\
e")||activeElement===other&&input.matches("[aria-invalid]")}};var EXPECTED="A time such as 1.5s or 250ms is expected.";function timeIn(input,exact){return input.
value===input.dataset.shown?exact:nanosecondsOf(input.value)}function field(label){return element("input",{type:"text","aria-label":label,title:`${label}: 1.5s,\
 250ms, 12us`,autocomplete:"off",spellcheck:"false",size:12})}function mark2(input,problem){input.setCustomValidity(problem);if(problem)input.setAttribute("aria\
-invalid","true");else input.removeAttribute("aria-invalid")}function remarksOf2({store,about},{arrows,sums,served,threads}){const remarks=[],omitted=store.omitted(),undrawn=arrows+(served?omitted:0);if(store.problem())remarks.
push(store.problem());if(undrawn>0)remarks.push(`${count(undrawn)} more arrows are not drawn, those with the shortest waits: zoom in.`);if(!served&&omitted>0)remarks.
push(`This page leaves out ${count(omitted)} arrows of the trace; trcx serve has them.`);if(sums&&served)remarks.push("Short intervals are summed up: their stat\
es share the height of the lane. Click to zoom in.");if(sums&&!served)remarks.push(`Intervals shorter than ${duration(about.resolution)} are there only in sums;\
 trcx serve has them.`);if(threads===0)remarks.push("No threads are shown.");return remarks}var MARGIN_LANES=12;var Display=class{constructor(root2,source,scene,arrangement,text,events){this.root=root2;this.source=source;this.scene=scene;this.arrangement=
arrangement;this.events=events;const{view,about,palette}=scene;this.range=new Range(view);this.overview=new OverviewStrip(source,view,about.duration,palette);this.
labels=new Labels(about,index=>events.lane(index),group=>events.group(group),thread=>events.calls(thread));this.listing=new Listing(text,hit=>events.listed(hit));
this.chart=new Chart(this.labels.root,this.lanes.canvas,this.overview.root,()=>this.measure());this.calls=new CallLayer(scene,this.lanes.canvas);this.lanes.canvas.
after(this.calls.root);this.frames=new Frames(root2,this)}root;source;scene;arrangement;events;lanes=new LaneCanvas;range;chart;listing;frames;calls;note=element(
"p",{class:"timeline-note",role:"note"});overview;labels;waiting=false;arrows=null;arrange(){this.layRows(this.chart.height);this.scene.groupTimes.request(this.
scene.rows);this.measure(true)}layRows(height){const{scene}=this,thread=scene.rows.all[scene.cursor]?.thread;scene.rows=this.arrangement.rows(height);scene.cursor=
thread?scene.rows.of(thread):-1;this.events.moved()}restyle(light=false){this.scene.palette=paletteOf(this.scene.about,this.root,light);this.scene.legend.draw(this.
scene.palette);this.measure(true)}measure(always=false){const{scene,chart}=this,{width,height}=chart.size();if(width<=0||height<=0)return;if(this.arrangement.laneHeight(
height)!==scene.rows.laneHeight)this.layRows(height);chart.setRows(scene.rows.height,height);if(always||width!==chart.width||height!==chart.height){this.events.
moved();this.lanes.resize(width,height,scene.palette);chart.resize(width,height,scene.palette);this.overview.draw(scene.palette)}scene.scroll=chart.scrollTop;this.
invalidate()}fit(){this.measure();if(this.frames.isScheduled)this.frames.drawNow()}move(){this.events.moved();this.list();this.frames.move()}scrolled(){if(this.
scene.scroll===this.chart.scrollTop)return;this.scene.scroll=this.chart.scrollTop;this.move()}invalidate(){this.lanes.invalidate();this.list();this.frames.change()}arrived(threads){
const{scene}=this,{store}=scene;if(threads.length>0)this.lanes.invalidateRows(threads);const waiting=store.waiting(),arrows=store.arrows();if(waiting!==this.waiting||
arrows!==this.arrows)this.lanes.invalidateVisible(scene);this.waiting=waiting;this.arrows=arrows;this.list();this.frames.change()}showOverview(){const{threads,hasAll}=this.
arrangement;return this.overview.show(hasAll?"all":threads,this.scene.about.duration)}setListed(on){this.listing.root.hidden=!on;this.measure();this.list()}list(){
const{view}=this.scene;this.listing.update(()=>({...this.lanes.listed(this.scene),from:view.from,to:view.to}))}close(){this.frames.close();this.listing.close()}draw(moving){
const{scene,lanes,chart}=this,{view}=scene;if(chart.width<=1){this.frames.still();return false}const[first2,last]=lanes.visible(scene);this.request(first2,last);
const flashing=this.events.drawing();lanes.draw(scene,moving);this.labels.place(scene.rows,first2,last,scene.scroll,scene.cursor);chart.drawAxis(view.from,lanes.
perPixel(view),lanes.width,scene.palette);this.overview.place();this.calls.draw(first2,last,lanes.width);return flashing||!lanes.done}describe(){if(this.chart.width<=
1)return true;this.overview.describe();this.range.show();this.calls.describe();this.remark();this.events.described();return this.lanes.done}rest(){this.events.rested();
this.lanes.rest(this.scene)}request(first2,last){const{rows,store,view}=this.scene,threads=[];const add2=(from,to)=>{for(let index=Math.max(0,from);index<=to&&index<
rows.all.length;index++){if(rows.all[index].thread!==0)threads.push(rows.all[index].thread)}};add2(first2,last);add2(last+1,last+MARGIN_LANES);add2(first2-MARGIN_LANES,
first2-1);store.request(threads,view.from,view.to,this.lanes.perPixel(view))}remark(){const{scene,lanes,root:root2,note}=this,loading=scene.store.waiting();const remarks=remarksOf2(
scene,{arrows:lanes.omitted,sums:lanes.hasSums(scene),served:this.source.served,threads:this.arrangement.threads.length});const text=remarks.join(" ")+(loading?
" Loading …":"");if(note.textContent!==text)note.textContent=text;if(root2.hasAttribute("aria-busy")!==loading)root2.toggleAttribute("aria-busy",loading)}};var GroupTimes=class{constructor(source,changed,failed){this.source=source;this.changed=changed;this.failed=failed}source;changed;failed;overviews=new Map;get(group){
return this.overviews.get(group)}request(rows){for(const row of rows.all){if(row.thread!==0||!row.collapsed||this.overviews.has(row.group))continue;this.overviews.
set(row.group,{width:1,times:[]});this.source.overview(row.members,BUCKETS2).then(overview=>{this.overviews.set(row.group,overview);this.changed()},this.failed)}}clear(){
this.overviews.clear()}};var BUCKETS2=1600;var HitText=class{constructor(about){this.about=about;this.places=placesByKey(about.threads)}about;places;thread(key){return threadName(this.about.threads,this.
places.get(key))}place(key){return this.places.get(key)??-1}title(hit){switch(hit.kind){case"span":return this.state(hit.lane,hit.row);case"mix":return hit.lane.
mixes.intervals[hit.row]===1?"a short interval":counted(hit.lane.mixes.intervals[hit.row],"short interval")+", summed up";case"instant":return this.about.interactions[hit.
lane.instants.type[hit.row]].label+several(valueOf(hit.lane.instants.number,hit.row));case"path":return hit.lane.path.latency[hit.row]?"critical path: another t\
hread is about to run":"critical path";case"arrow":return this.about.interactions[hit.arrow.type].label;case"dead":return this.about.states[DEAD].label}}facts(hit){
const facts=[{what:"Thread",value:this.thread(hit.thread),isName:true,thread:hit.thread}];switch(hit.kind){case"span":return[...facts,...this.ofSpan(hit.lane,hit.
places,hit.row)];case"mix":return[...facts,...this.ofMix(hit.lane,hit.row)];case"instant":return[...facts,...this.ofInstant(hit.lane,hit.places,hit.row)];case"p\
ath":return[...facts,...between(hit.lane.path.start[hit.row],hit.lane.path.end[hit.row]),...this.onPath(hit.lane,hit.row)];case"arrow":return this.ofArrow(hit.arrow);case"\
dead":return[...facts,{what:"Since",value:moment(this.about.threads.died[this.place(hit.thread)]??0)}]}}range(hit){switch(hit.kind){case"span":return[hit.lane.spans.
start[hit.row],hit.lane.spans.end[hit.row]];case"mix":return[hit.lane.mixes.start[hit.row],hit.lane.mixes.end[hit.row]];case"instant":return[hit.lane.instants.time[hit.
row],hit.lane.instants.time[hit.row]];case"path":return[hit.lane.path.start[hit.row],hit.lane.path.end[hit.row]];case"arrow":return[hit.arrow.time,hit.arrow.toTime];case"\
dead":return[this.about.threads.died[this.place(hit.thread)]??0,this.about.duration]}}event(hit){if(hit.kind==="span")return valueOf(hit.lane.spans.event,hit.row);
if(hit.kind==="instant")return valueOf(hit.lane.instants.event,hit.row);return 0}state({spans},row){if(spans.flags[row]&INIT)return"INITIALISING";const operation=this.
about.operations[spans.flags[row]>>IO_SHIFT&IO_MASK];return this.about.states[spans.state[row]].label+(operation?`, ${operation}`:"")}ofSpan({spans},places,row){
const facts=between(spans.start[row],spans.end[row]),flags=spans.flags[row];const monitor=objectOf(places,valueOf(spans.object,row)),owner=valueOf(spans.other,row),
timeout=valueOf(spans.timeout,row);const state=spans.state[row],joining=state===JOINING;const initialising=(flags&INIT)!==0;const what=initialising?"Waits for t\
he initialisation of":joining?"Thread object":state===IN_IO||(flags&PARK)!==0?"Waits for":"Monitor";if(monitor)facts.push({what,value:object(monitor),isName:true});
if(owner)facts.push({what:initialising?"Initialised by":joining?"Joined thread":"Owner",value:this.thread(owner),isName:true,thread:owner});this.addFrame(facts,
"At",places,valueOf(spans.caller,row));this.addFrame(facts,"Owner last seen at",places,valueOf(spans.otherCaller,row));if(timeout)facts.push({what:"Timeout",value:duration(
timeout*1e6)});if(flags&TIMED_OUT)facts.push({what:"Ended by",value:"its timeout"});if(flags&INFERRED)facts.push({what:"Note",value:"the owner is concluded, not\
 reported"});if(flags&OPEN)facts.push({what:"Note",value:"still so at the end of the trace"});return facts}ofMix({mixes},row){const facts=between(mixes.start[row],
mixes.end[row]),length=mixes.end[row]-mixes.start[row];for(let state=0;state<TIMED_STATES;state++){const time=mixes.times[TIMED_STATES*row+state];if(time>0)facts.
push({what:this.about.states[state].label,value:`${share(time,length)}, ${duration(time)}`})}return facts}ofInstant({instants},places,row){const facts=[{what:"A\
t",value:moment(instants.time[row])}];const described=objectOf(places,valueOf(instants.object,row)),other=valueOf(instants.other,row);if(described)facts.push({what:"\
Object",value:object(described),isName:true});if(other)facts.push({what:"Affects",value:this.thread(other),isName:true,thread:other});this.addFrame(facts,"In",places,
places.stacks[valueOf(instants.stack,row)-1]?.frames[0]??0);return facts}ofArrow(arrow){return[{what:"By",value:this.thread(arrow.thread),isName:true,thread:arrow.
thread},{what:"At",value:moment(arrow.time)},{what:"Affects",value:this.thread(arrow.toThread),isName:true,thread:arrow.toThread},{what:"Runs at",value:`${moment(
arrow.toTime)}, ${duration(arrow.toTime-arrow.time)} later`},...arrow.waited>0?[{what:"Had not run for",value:duration(arrow.waited)}]:[]]}onPath({path},row){const length=path.
end[row]-path.start[row];return path.time[row]>0&&path.time[row]<length?[{what:"On the path",value:`${duration(path.time[row])} of it`}]:[]}addFrame(facts,what,places,frame){
const found=places.frames[frame-1];if(found)facts.push({what,value:caller(found),isName:true})}};function between(from,to){return[{what:"From",value:moment(from,
Math.min(1e3,Math.max(1,(to-from)/100)))},{what:"Length",value:duration(to-from)}]}function objectOf(places,number){return places.objects[number-1]}function several(number){
return number>1?`, ${number} times`:""}var Tooltip=class{root=element("div",{class:"timeline-tooltip",role:"tooltip",hidden:true});show(hit,text,hint,x3,y2){const list2=element("dl");for(const{what,value,
isName}of text.facts(hit)){list2.append(element("dt",{},what),element("dd",{},isName?element("bdi",{dir:"auto"},clipped(value,300)):value))}this.root.replaceChildren(
element("strong",{},text.title(hit)),list2);if(hint)this.root.append(element("p",{},hint));this.root.hidden=false;this.move(x3,y2)}move(x3,y2){const{offsetWidth:width,
offsetHeight:height}=this.root;const left=x3+16+width>innerWidth?x3-12-width:x3+16,top=y2+18+height>innerHeight?y2-10-height:y2+18;this.root.style.transform=`tr\
anslate(${Math.max(4,left)}px, ${Math.max(4,top)}px)`}hide(){if(!this.root.hidden)this.root.hidden=true}};var Hover=class{constructor(scene,lanes,text,served){this.scene=scene;this.lanes=lanes;this.text=text;this.served=served;document.body.append(this.tooltip.root)}scene;lanes;text;served;tooltip=new Tooltip;pointer=null;hint="";point(x3,y2,{
clientX,clientY}){this.pointer={x:x3,y:y2,clientX,clientY}}update(){const{pointer,scene,tooltip:tooltip2}=this;if(!pointer)return;this.pointer=null;const hit=this.
lanes.hit(scene,pointer.x,pointer.y),same=hit!==null&&sameHit(hit,scene.hover);this.lanes.canvas.classList.toggle("on",hit!==null);scene.hover=hit;if(!hit)return tooltip2.
hide();const hint=hit.kind==="mix"&&this.served?"Click to zoom in.":this.pauseAt(pointer.x);if(same&&hint===this.hint)tooltip2.move(pointer.clientX,pointer.clientY);else
tooltip2.show(hit,this.text,hint,pointer.clientX,pointer.clientY);this.hint=hint}pauseAt(x3){const{view,pauses,legend}=this.scene,perPixel=this.lanes.perPixel(view);
return legend.pauses&&pauses?.text(view.from+x3*perPixel,2*perPixel)||""}clear(){this.pointer=null;this.tooltip.hide();const highlighted=this.scene.hover!==null;
this.scene.hover=null;return highlighted}close(){this.tooltip.root.remove()}};function sameHit(a,b){if(!b||a.kind!==b.kind||a.thread!==b.thread)return false;if(a.
kind==="arrow")return b.kind==="arrow"&&a.arrow===b.arrow;return a.kind==="dead"||b.kind!=="arrow"&&b.kind!=="dead"&&a.lane===b.lane&&a.row===b.row}var Legend=class{constructor(about,changed){this.about=about;this.changed=changed;this.shown=about.interactions.map(()=>true);const states=element("ul",{class:"\
timeline-states","aria-label":"States"});for(const state of about.states){const canvas=canvasOf(22,12);this.states.push(canvas);states.append(element("li",{},canvas,
state.label))}const kinds=element("div",{class:"timeline-kinds",role:"group","aria-label":"Interactions: shown or not"});about.interactions.forEach((interaction,type)=>{
const canvas=canvasOf(30,12);this.kinds.push(canvas);kinds.append(this.toggle(interaction.label,canvas,interaction.name,()=>this.shown[type]=!this.shown[type]))});
kinds.append(this.toggle(about.path.label,this.ribbon,"path",()=>this.path=!this.path));this.root.append(states,kinds)}about;changed;root=element("div",{class:"\
timeline-legend",role:"group","aria-label":"Legend"});shown;path=true;pauses=true;states=[];kinds=[];ribbon=canvasOf(26,12);band=canvasOf(14,12);addPauses(palette){
if(this.band.isConnected)return;this.root.lastElementChild.append(this.toggle("GC pauses",this.band,"pauses",()=>this.pauses=!this.pauses));this.draw(palette)}toggle(label,canvas,name,turn){
const made=element("button",{type:"button",class:"timeline-toggle","aria-pressed":"true","data-kind":name},canvas,label);made.addEventListener("click",()=>{made.
setAttribute("aria-pressed",String(turn()));this.changed()});return made}draw(palette){this.states.forEach((canvas,state)=>this.drawState(canvas,state,palette));
this.kinds.forEach((canvas,type)=>this.drawKind(canvas,type,palette));const context=sharp(this.ribbon);context.fillStyle=palette.css.path;context.fillRect(1,4,24,
4);const band2=sharp(this.band);band2.globalAlpha=.6;band2.fillStyle=palette.css.pause;band2.fillRect(4,0,6,12)}drawState(canvas,state,palette){if(state<DEAD)return swatch(
canvas,palette.states[state],22,12);const context=sharp(canvas);context.fillStyle=palette.css.states[state];context.fillRect(0,5,22,2)}drawKind(canvas,type,palette){
const context=sharp(canvas),{width,height}=canvas,ratio=devicePixelRatio;if(type===TIMEOUT){context.fillStyle=palette.interactions[type];context.fillRect(14,0,2,
12);return context.fillRect(12,0,6,2)}const image=context.createImageData(width,height),raster=new Raster(new Uint32Array(image.data.buffer),width,height);raster.
pixels.fill(palette.background);sample(penFor(raster,ratio,this.about.interactions,palette.marks),type,30,12);context.putImageData(image,0,0)}};function canvasOf(width,height){
const made=element("canvas",{"aria-hidden":"true"});made.style.width=`${width}px`;made.style.height=`${height}px`;return made}function sharp(canvas){const ratio=devicePixelRatio,
context=canvas.getContext("2d");canvas.width=Math.round(parseFloat(canvas.style.width)*ratio);canvas.height=Math.round(parseFloat(canvas.style.height)*ratio);context.
setTransform(ratio,0,0,ratio,0,0);return context}var INTERVAL=1e3;var LiveTrace=class{constructor(source,about,view,events){this.source=source;this.about=about;this.view=view;this.events=events;this.schedule()}source;about;view;events;button=toggleButton(
"Follow the end",on=>this.setFollow(on));follow=false;timer=0;closed=false;growView(before){if(this.view.to<before-.02*this.view.length)this.setFollow(false);this.
view.grow(this.about.duration,this.follow)}setFollow(on){this.follow=on;this.button.setAttribute("aria-pressed",String(on));if(on&&!this.view.isWhole)this.view.
pan(this.about.duration)}close(){this.closed=true;clearTimeout(this.timer)}schedule(){if(this.about.live&&!this.closed)this.timer=window.setTimeout(()=>void this.
ask(),INTERVAL)}async ask(){try{const about=await this.source.about();if(this.closed)return;this.update(about)}catch(problem){this.events.failed(problem)}this.schedule()}update(about){
const{duration:before,events,live}=this.about,ended=live&&!about.live;Object.assign(this.about,about);if(about.duration>before||about.events>events||about.live!==
live)this.events.grown(before,ended);if(ended)this.events.ended();this.events.updated()}};var Details=class{constructor(about,source,text,jumps){this.about=about;this.source=source;this.text=text;this.jumps=jumps}about;source;text;jumps;root=element(
"aside",{class:"timeline-details","aria-label":"Details of the selection",tabindex:-1,hidden:true});asked=0;hide(){this.asked++;this.root.hidden=true}async show(selected,ending){
const asked2=++this.asked,more=element("div",{"aria-busy":"true"});const focused=this.root.contains(document.activeElement);this.root.replaceChildren(this.head(
selected),this.facts(selected),this.rows(selected.hit),more);this.root.hidden=false;if(focused)this.root.focus({preventScroll:true});this.root.scrollTop=0;const parts=await this.
more(selected,ending);if(asked2!==this.asked)return;more.removeAttribute("aria-busy");more.append(...parts)}head({hit,from,to}){const zoom=to>from?button("Zoom \
to it",()=>this.jumps.zoom(from,to)):null;return element("header",{},element("h3",{},this.text.title(hit)),zoom,button("×",()=>this.jumps.close(),{"aria-label":"\
Close the details",class:"close"}))}facts({hit,from}){const list2=element("dl");for(const{what,value,isName,thread}of this.text.facts(hit)){const text=isName?element(
"bdi",{dir:"auto"},clipped(value,2e3)):value;const jump=thread&&thread!==hit.thread;list2.append(element("dt",{},what),element("dd",{},jump?this.link([text],`Ju\
mp to this thread at ${moment(from)}`,()=>this.jumps.moment(thread,from)):text))}return list2}rows(hit){const links=[["Thread",{thread:hit.thread}]];if(hit.kind===
"span"&&hit.lane.spans.state[hit.row]!==RUNNING){const{spans}=hit.lane,monitor=hit.places.objects[valueOf(spans.object,hit.row)-1];const place=hit.places.frames[valueOf(
spans.caller,hit.row)-1],state=spans.state[hit.row];if(place)links.push(["Caller",monitor?{place,monitor}:{place}]);if(monitor&&state!==JOINING&&state!==SLEEPING)
links.push(["Monitor",{monitor}])}const made=element("p",{class:"row-links"},"In the statistics:");for(const[name,row]of links)made.append(" ",button(name,()=>this.
jumps.row(row),{class:"link",title:"Show its row"}));return made}async more(selected,ending){if(selected.hit.kind==="arrow")return this.ends(selected.hit.arrow);
if(!selected.event)return[];try{const detail=await this.source.detail(selected.thread,selected.event);const waits=detail.state>0?await ending():[];return this.parts(
detail,waits,selected.hit)}catch(problem){return[element("p",{class:"problem",role:"alert"},messageOf(problem))]}}ends(arrow){const cause={type:arrow.type,event:arrow.
event,thread:arrow.thread,time:arrow.time};const effect={type:arrow.type,event:arrow.toEvent,thread:arrow.toThread,time:arrow.toTime};return[...this.links("Caus\
e",[cause]),...this.links("Effect",[effect])]}parts(detail,waits,hit){return[this.event(detail,hit),...this.links(detail.state<0?"Cause":"What let it run",detail.
causes),...this.links("What ended it",waits),...this.links(detail.effects.length>1?"Effects":"Effect",detail.effects),...this.stack(detail.stack)]}event(detail,hit){
const known=this.text.facts(hit).some(({what})=>["Monitor","Object","Thread object","Waits for"].includes(what));const list2=element("dl",{},element("dt",{},"Ev\
ent"),element("dd",{},`${detail.type||"not known"}, number ${detail.event}`));if(detail.object&&!known)list2.append(element("dt",{},"Object"),element("dd",{},this.
object(detail.object)));return list2}object(described){const process=processesOf(this.about)?.get(described[2]);return element("bdi",{dir:"auto"},clipped(object(
described)+(process?`, in ${process}`:""),2e3))}links(title,links){if(links.length===0)return[];const list2=element("ul",{class:"links"});for(const link of links.
slice(0,200))list2.append(element("li",{},this.eventLink(link)));const rest=links.length>200?[element("p",{},`and ${links.length-200} more`)]:[];return[element(
"h4",{},title),list2,...rest]}eventLink(link){const name=element("bdi",{dir:"auto"},clipped(this.text.thread(link.thread),200));const kind=this.about.interactions[link.
type]?.label??"";return this.link([element("span",{class:"kind"},kind),name,element("span",{class:"time"},moment(link.time))],"Jump to this event",()=>this.jumps.
event(link.thread,link.event))}link(content,title,act){const made=button("",act,{class:"link",title});made.append(...content);return made}stack(frames){if(frames.
length===0)return[element("p",{class:"none"},"No call stack was recorded with this event.")];const list2=element("ol",{class:"stack"});for(const frame of frames)
list2.append(element("li",{},element("bdi",{dir:"auto"},clipped(call(frame),2e3))));return[element("h4",{},"Call stack"),list2]}};var BUCKETS3=512;var FARTHEST=1e18;async function laneWith(source,thread,time){const at=Math.max(0,Math.floor(time));return laneIn(source,thread,at,at+1,0)}async function laneIn(source,thread,from,to,resolution){
const window2=source.whole()??await source.window([thread],from,to,resolution);const lane=window2.lanes.find(one=>one.thread===thread);return lane?{lane,places:window2.
places}:null}function atTime({lane,places},time){const{spans,mixes,instants}=lane,thread=lane.thread;const span=firstEndingAfter(spans.end,spans.count,time);if(span<
spans.count&&spans.start[span]<=time)return{kind:"span",thread,lane,places,row:span};const mix=firstEndingAfter(mixes.end,mixes.count,time);if(mix<mixes.count&&
mixes.start[mix]<=time)return{kind:"mix",thread,lane,places,row:mix};const instant=firstAt(instants.time,instants.count,time);return instant<instants.count&&instants.
time[instant]<=time+1?{kind:"instant",thread,lane,places,row:instant}:null}async function neighbour(source,thread,time,by,duration2){if(source.whole()){const lane=await laneWith(
source,thread,time);return lane&&nearest(lane,time,by,0,FARTHEST)}for(let length=BUCKETS3,near=time;;length*=16){const[from,to]=by>0?[near,Math.min(duration2,near+
length)]:[Math.max(0,near-length),near+1];const found=await within2(source,thread,time,by,from,to);if(found)return found;if(from<=0&&by<0)return null;if(to>=duration2&&
by>0)return null}}async function within2(source,thread,time,by,from,to){const resolution=2**Math.max(0,Math.ceil(Math.log2((to-from)/BUCKETS3)));const lane=await laneIn(
source,thread,Math.floor(from),Math.ceil(to),resolution<=1?0:resolution);const hit=lane&&nearest(lane,time,by,from,to);if(hit?.kind!=="mix")return hit;const start=hit.
lane.mixes.start[hit.row],end=hit.lane.mixes.end[hit.row];return resolution<=1?hit:await within2(source,thread,time,by,Math.max(start,from),Math.min(end+1,to))??
hit}function nearest({lane,places},time,by,from,to){let best=by>0?Infinity:-Infinity,found=null;const search=(kind,starts,count2)=>{const row=by>0?firstAt(starts,
count2,Math.floor(time)+1):firstAt(starts,count2,Math.ceil(time))-1;if(row<0||row>=count2||starts[row]<from||starts[row]>to||(by>0?starts[row]>=best:starts[row]<=
best))return;best=starts[row];found={kind,thread:lane.thread,lane,places,row}};search("span",lane.spans.start,lane.spans.count);search("instant",lane.instants.time,
lane.instants.count);search("mix",lane.mixes.start,lane.mixes.count);return found}var FLASH=1200;var Selection=class{constructor(scene,source,display,cursor,text,status,toRow){this.scene=scene;this.source=source;this.display=display;this.cursor=
cursor;this.text=text;this.status=status;this.details=new Details(scene.about,source,text,{event:(thread,event)=>void this.follow(thread,event),moment:(thread,time)=>this.
jump(thread,null,time,time),row:toRow,zoom:(from,to)=>scene.view.zoomTo(from,to),close:()=>this.clear()});this.details.root.addEventListener("keydown",event=>{if(event.
key!=="Escape")return;event.preventDefault();this.clear()})}scene;source;display;cursor;text;status;details;flashUntil=0;updateFlash(){const left=this.flashUntil-
performance.now();this.scene.flash=Math.max(0,Math.min(1,left/FLASH));return left>0}clear(){const{scene,display}=this;if(!scene.selected)return;display.frames.markChanged();
scene.selected=null;this.details.hide();display.measure();this.focusLanes()}click(x3,y2){this.focusLanes();const{scene}=this,{rows}=scene,row=rows.at(y2+scene.scroll),
hit=this.display.lanes.hit(scene,x3,y2);if(row>=0&&y2+scene.scroll<rows.height)this.cursor.set(row);if(!hit)this.clear();else if(this.isCoarse(hit))scene.view.zoomTo(
...this.text.range(hit));else this.select(hit)}zoomInto(x3,y2){const hit=this.display.lanes.hit(this.scene,x3,y2);if(hit)this.scene.view.zoomTo(...this.text.range(
hit))}jump(thread,event,from,to){if(!this.cursor.reveal(thread)){return this.status.notify(`${this.text.thread(thread)} is not among the threads that are shown.`)}
this.bring(from,to);void this.attempt(()=>event?this.selectEvent(thread,event,from,to):this.selectAt(thread,from,to))}jumpToHit(hit){if(!this.cursor.reveal(hit.
thread))return;if(this.isCoarse(hit))this.scene.view.zoomTo(...this.text.range(hit));else this.show(hit)}async selectAtCursor(toggleGroup){const{selected}=this.
scene,{thread,group,time}=this.cursor;if(selected&&selected.thread===thread&&!this.details.root.hidden)return this.details.root.focus();if(group!==null)return toggleGroup(
group);if(thread!==0)await this.attempt(()=>this.selectNear(thread,time))}async step(by){const{thread,time}=this.cursor;if(thread===0)return;await this.attempt(
async()=>{const hit=await this.neighbour(thread,time,by);if(hit)this.show(hit);else this.status.notify(by>0?"No event comes after it in this lane.":"No event co\
mes before it in this lane.")})}select(hit){const{scene,display}=this,[from,to]=this.text.range(hit);const selected={hit,thread:hit.thread,event:this.text.event(
hit),from:hit.kind==="arrow"?to:from,to};display.frames.markChanged();scene.selected=selected;const narrower=this.details.root.hidden;void this.details.show(selected,
()=>this.ending(selected));if(narrower)display.measure();display.frames.schedule()}show(hit){this.bring(...this.text.range(hit));this.flash(hit)}flash(hit){this.
select(hit);this.flashUntil=performance.now()+(matchMedia("(prefers-reduced-motion: reduce)").matches?0:FLASH)}async ending(selected){const lane=await laneWith(
this.source,selected.thread,selected.to);const next=lane&&atTime(lane,selected.to);const event=next?.kind==="span"?valueOf(next.lane.spans.event,next.row):0;return event&&
event!==selected.event?(await this.source.detail(selected.thread,event)).causes:[]}async follow(thread,event){await this.attempt(async()=>{const detail=await this.
source.detail(thread,event);this.jump(thread,event,detail.time,detail.time+detail.length)})}async selectEvent(thread,event,from,to){const found=await laneWith(this.
source,thread,from);const span=found?.lane.spans.event?.indexOf(event)??-1,instant=found?.lane.instants.event?.indexOf(event)??-1;if(found&&span>=0)this.flash({
kind:"span",thread,...found,row:span});else if(found&&instant>=0)this.flash({kind:"instant",thread,...found,row:instant});else await this.selectAt(thread,from,to)}async selectAt(thread,from,to){
const lane=await laneWith(this.source,thread,from),hit=lane&&atTime(lane,from===to?from:from+(to-from)/2);if(hit)this.flash(hit)}async selectNear(thread,time){const lane=await laneWith(
this.source,thread,time);const hit=(lane&&atTime(lane,time))??await this.nearestTo(thread,time);if(hit)this.show(hit);else this.status.notify("There is nothing \
in this lane.")}async nearestTo(thread,time){const[before,after]=await Promise.all([this.neighbour(thread,time,-1),this.neighbour(thread,time,1)]);if(!before||!after)
return before??after;return time-this.text.range(before)[1]<=this.text.range(after)[0]-time?before:after}neighbour(thread,time,by){return neighbour(this.source,
thread,time,by,this.scene.about.duration)}bring(from,to){this.scene.view.bring(from,to,this.display.chart.width)}isCoarse(hit){return hit.kind==="mix"&&this.source.
served}focusLanes(){this.display.lanes.canvas.focus({preventScroll:true})}async attempt(action){try{await action()}catch(problem){this.status.fail(problem)}}};var NOTICE=6e3;var PAUSE2=500;var Status=class{root=element("p",{class:"unseen",role:"status","aria-live":"polite"});timer=0;closed=false;notify(text){this.set(
text,true);this.timer=window.setTimeout(()=>this.clear(),NOTICE)}fail(problem){if(!this.closed)this.notify(messageOf(problem))}clear(){this.set("",false)}describeLater(describe){
if(this.root.classList.contains("timeline-notice"))return;clearTimeout(this.timer);this.timer=window.setTimeout(()=>{const text=describe();if(this.root.textContent!==
text)this.root.textContent=text},PAUSE2)}close(){this.closed=true;clearTimeout(this.timer)}set(text,visible){clearTimeout(this.timer);this.root.textContent=text;
this.root.classList.toggle("unseen",!visible);this.root.classList.toggle("timeline-notice",visible)}};var TILE=512;var MOST_LANES=32;var MOST_REQUESTS=2;var ANSWER=7e4;var MEMORY=64<<20;var GATHERING=300;var PASSING=90;var COARSER=6;var TileStore=class{constructor(source,duration2,arrived){
this.source=source;this.duration=duration2;this.arrived=arrived}source;duration;arrived;tiles=new Map;arrowsOf=new Map;requests=new Map;queue=[];wanted={threads:[],
from:0,to:0,level:0};visible=[];visibleOmitted=0;batches=[];outdated=false;gathered=0;gathering=0;passed=-PASSING;bytes=0;clock=0;perLane=4e3;trouble="";timer=0;failures=0;request(threads,from,to,resolution){
const level=levelOf(resolution),last=this.wanted;if(last.level===level&&last.from===from&&last.to===to&&sameNumbers(last.threads,threads))return;const length=TILE*
2**level,same=last.level===level&&first(last.from,length)===first(from,length)&&first(last.to-1,length)===first(to-1,length);this.wanted={threads,from,to,level};
this.outdated=true;if(same&&sameNumbers(last.threads,threads))return;this.plan();clearTimeout(this.timer);const now=performance.now();if(level!==last.level&&last.
threads.length>0)this.passed=now;this.timer=window.setTimeout(()=>this.send(),Math.max(this.requests.size===0?0:40,this.passed+PASSING-now))}parts(thread,from,to,resolution,into){
into.clear();this.clock++;const levels=this.tiles.get(thread);if(levels)this.fill(levels,levelOf(resolution),Math.max(0,from),Math.min(to,this.duration),into)}fill(levels,level,from,to,into){
const length=TILE*2**level;for(let index=Math.floor(from/length);index*length<to;index++){const start=Math.max(from,index*length),end=Math.min(to,(index+1)*length);
const tile=levels[level]?.get(index)??this.coarser(levels,level,index);if(tile){tile.used=this.clock;into.add(tile.lane,tile.places,start,end)}else{this.finer(levels,
level,start,end,into)}}}coarser(levels,level,index){const highest=Math.max(level+COARSER,levels.length-1);for(let above=level+1;above<=highest;above++){const tile=levels[above]?.
get(Math.floor(index/2**(above-level)));if(tile)return tile}return void 0}finer(levels,level,from,to,into){for(let below2=level-1;below2>=Math.max(0,level-2);below2--){
const length=TILE*2**below2,found=levels[below2];if(!found||found.size===0)continue;for(let index=Math.floor(from/length);index*length<to;index++){const tile=found.
get(index);if(tile)into.add(tile.lane,tile.places,Math.max(from,index*length),Math.min(to,(index+1)*length))}if(into.count>0)return}}arrows(){if(!this.outdated)
return this.visible;const wait=GATHERING-(performance.now()-this.gathered);if(wait>0){clearTimeout(this.gathering);this.gathering=window.setTimeout(()=>this.arrived(
[]),wait);return this.visible}this.outdated=false;this.gatherArrows();return this.visible}omitted(){return this.visibleOmitted}waiting(){return this.queue.length>
0||this.requests.size>0}problem(){return this.trouble}grow(duration2){this.outdate(this.duration);this.duration=duration2}end(duration2){this.outdate(0);this.duration=
duration2;this.arrowsOf.clear()}outdate(since){const changes=(level,index)=>(index+1)*TILE*2**level>since;for(const levels of this.tiles.values()){levels.forEach(
(tiles,level)=>{for(const[index,tile]of tiles)tile.stale||=changes(level,index)})}for(const request of this.requests.values())request.stale||=changes(request.level,
request.index);this.wanted.level=-1}close(){clearTimeout(this.timer);clearTimeout(this.gathering);for(const request of this.requests.values())request.abort.abort()}plan(){
const{threads,from,to,level}=this.wanted;const length=TILE*2**level,last=Math.max(0,Math.ceil(this.duration/length)-1);const first2=Math.max(0,Math.floor(from/length)),
final=Math.min(last,Math.floor(Math.max(from,to-1)/length));const indexes=[];for(let index=first2;index<=final;index++)indexes.push(index);const neighbours=[final+
1,first2-1].filter(index=>index>=0&&index<=last);this.queue=[];for(const index of[...indexes,...neighbours])this.planTile(threads,level,index)}planTile(threads,level,index){
const missing=threads.filter(thread=>this.isMissing(thread,level,index));const most=Math.max(1,Math.min(MOST_LANES,Math.floor(ANSWER/this.perLane)));for(let at=0;at<
missing.length;at+=most){this.queue.push({level,index,threads:missing.slice(at,at+most),arrows:null,omitted:0})}}isMissing(thread,level,index){const levels=this.
tiles.get(thread);if(!levels)return true;const tile=levels[level]?.get(index);if(tile)return tile.stale;for(let above=level+1;above<levels.length;above++){const coarse=levels[above]?.
get(Math.floor(index/2**(above-level)));if(coarse?.exact&&!coarse.stale)return false}return true}send(){for(const[key,request]of this.requests){if(request.level!==
this.wanted.level){request.abort.abort();this.requests.delete(key)}}for(let next=0;next<this.queue.length&&this.requests.size<MOST_REQUESTS;next++){const batch=this.
queue[next];if(this.isUnderway(batch))continue;this.queue.splice(next--,1);void this.ask({...batch,abort:new AbortController,stale:false})}}isUnderway(batch){for(const request of this.
requests.values()){if(request.index===batch.index&&request.level===batch.level&&request.threads.includes(batch.threads[0]))return true}return false}async ask(request){
const key=keyOf3(request),length=TILE*2**request.level;this.requests.set(key,request);const from=request.index*length,to=Math.min(from+length,Math.max(this.duration,
1));let came=[];try{const window2=await this.source.window(request.threads,from,to,request.level===0?0:2**request.level,request.abort.signal);this.trouble="";this.
failures=0;this.store(request,window2);came=request.threads}catch(problem){if(request.abort.signal.aborted)return;this.trouble=messageOf(problem);this.failures++;
this.queue=[];window.setTimeout(()=>this.again(),Math.min(3e4,1e3*2**this.failures))}finally{if(this.requests.get(key)===request)this.requests.delete(key);this.
send();this.arrived(came)}}again(){this.plan();this.send()}store(request,window2){const lanes=new Map(window2.lanes.map(lane=>[lane.thread,lane]));let bytes2=0;
for(const thread of request.threads){const lane=lanes.get(thread)??emptyLane(thread),size2=bytesOf(lane);bytes2+=size2;this.put(thread,request.level,request.index,
{lane,places:window2.places,exact:window2.arrowsOmitted===0&&isExact(lane),used:this.clock,bytes:size2,stale:request.stale})}this.perLane=Math.max(200,.7*this.perLane+
.3*(bytes2/request.threads.length));this.arrowsOf.set(keyOf3(request),{level:request.level,index:request.index,threads:request.threads,arrows:window2.arrows,omitted:window2.
arrowsOmitted});this.outdated=true;this.forget()}put(thread,level,index,tile){let levels=this.tiles.get(thread);if(!levels)this.tiles.set(thread,levels=[]);levels[level]??=
new Map;this.bytes+=tile.bytes-(levels[level].get(index)?.bytes??0);levels[level].set(index,tile)}forget(){if(this.bytes<=MEMORY)return;const all=[];for(const levels of this.
tiles.values()){levels.forEach(tiles=>tiles.forEach((tile,index)=>all.push({tile,tiles,index})))}all.sort((a,b)=>a.tile.used-b.tile.used);for(const{tile,tiles,index}of all){
if(this.bytes<=.75*MEMORY)break;tiles.delete(index);this.bytes-=tile.bytes}for(const[key,batch]of this.arrowsOf){if(!this.tiles.get(batch.threads[0])?.[batch.level]?.
has(batch.index))this.arrowsOf.delete(key)}}gatherArrows(){this.gathered=performance.now();const{from,to,level,threads}=this.wanted,inView=new Set(threads);const batches=[
...this.arrowsOf.values()].filter(batch=>{const length=TILE*2**batch.level,start=batch.index*length;if(start>=to||start+length<=from||batch.level<level||!batch.
arrows?.count)return false;const wanted=batch.threads.filter(thread=>inView.has(thread));return batch.level===level?wanted.length>0:wanted.some(thread=>this.lacks(
thread,level,Math.max(from,start),Math.min(to,start+length)))});if(batches.length===this.batches.length&&batches.every((batch,i)=>batch===this.batches[i]))return;
this.batches=batches;this.visibleOmitted=batches.reduce((sum,batch)=>sum+(batch.level===level?batch.omitted:0),0);this.visible=batches.map(batch=>batch.arrows)}lacks(thread,level,from,to){
const tiles=this.tiles.get(thread)?.[level],length=TILE*2**level;for(let index=Math.floor(from/length);index*length<to;index++){if(!tiles?.has(index))return true}
return false}};function levelOf(resolution){return Math.max(0,Math.floor(Math.log2(Math.max(1,resolution))))}function isExact(lane){return lane.mixes.count===0&&
(lane.instants.number===null||lane.instants.number.every(number=>number<=1))}function keyOf3(batch){return`${batch.level} ${batch.index} ${batch.threads[0]}`}function first(time,length){
return Math.floor(time/length)}function sameNumbers(a,b){return a.length===b.length&&a.every((value,i)=>value===b[i])}var SHORTEST=50;var KEPT=600;var View=class{constructor(duration2,changed){this.duration=duration2;this.changed=changed;this.duration=Math.max(1,duration2);this.
to=this.duration;this.current=[this.from,this.to]}duration;changed;from=0;to=1;past=[];future=[];current;timer=0;get length(){return this.to-this.from}get end(){
return this.duration}get isWhole(){return this.from<=0&&this.to>=this.duration}set(from,to){const length=Math.min(this.duration,Math.max(SHORTEST,to-from));const start=Math.
max(0,Math.min(this.duration-length,to-from<SHORTEST?(from+to-length)/2:from));if(start===this.from&&start+length===this.to)return;this.from=start;this.to=start+
length;clearTimeout(this.timer);this.timer=window.setTimeout(()=>this.keep(),KEPT);this.changed()}show(from,to){const start=Math.max(0,from),end=Math.min(this.duration,
to);if(start>=end)return false;this.set(start,end);return true}pan(nanoseconds){const from=Math.max(0,Math.min(this.duration-this.length,this.from+nanoseconds));
this.set(from,from+this.length)}zoom(factor,at=(this.from+this.to)/2){const length=Math.min(this.duration,Math.max(SHORTEST,this.length*factor));const from=at-(at-
this.from)/this.length*length;const start=Math.max(0,Math.min(this.duration-length,from));this.set(start,start+length)}zoomTo(from,to){const margin=.08*(to-from);
this.set(from-margin,to+margin)}bring(from,to,width){const pixels=(to-from)/this.length*width;let length=this.length;if(to-from>.9*this.length)length=(to-from)*
1.3;else if(to>from&&pixels<12)length=(to-from)*Math.max(2,width/60);const inside=from>=this.from+.05*length&&to<=this.to-.05*length;if(length!==this.length||!inside)
this.set((from+to-length)/2,(from+to+length)/2)}whole(){this.set(0,this.duration)}grow(duration2,follow){const whole=this.isWhole;this.duration=Math.max(1,duration2);
if(whole)this.set(0,this.duration);else if(follow)this.set(this.duration-this.length,this.duration)}keep(){const[from,to]=this.current;if(from===this.from&&to===
this.to)return;this.past.push(this.current);if(this.past.length>100)this.past.shift();this.future.length=0;this.current=[this.from,this.to];this.changed()}get hasPast(){
return this.past.length>0}get hasFuture(){return this.future.length>0}back(){clearTimeout(this.timer);this.keep();this.turn(this.past,this.future)}forward(){this.
turn(this.future,this.past)}turn(source,other){const next=source.pop();if(!next)return;other.push(this.current);this.current=next;this.set(next[0],next[1]);clearTimeout(
this.timer);this.changed()}close(){clearTimeout(this.timer)}};var LOW=216;var PAPER_WIDTH=1030;var Timeline=class{constructor(root2,source,about,options={}){this.root=root2;this.source=source;this.options=options;const fail2=problem=>this.
status.fail(problem),invalidate=()=>this.display.invalidate();this.arrangement=new Arrangement(about);this.scene=this.sceneOf(about,invalidate,fail2);this.text=
new HitText(about);this.display=new Display(root2,source,this.scene,this.arrangement,this.text,{drawing:()=>this.drawing(),moved:()=>this.unhover(),rested:()=>this.
report(),described:()=>this.describe(),lane:index=>this.cursor.set(index),group:key=>this.toggleGroup(key),calls:thread=>this.toggleCalls(thread),listed:hit=>this.
selection.jumpToHit(hit)});this.cursor=new Cursor(this.scene,this.display.chart,group=>this.toggleGroup(group),invalidate);this.hover=new Hover(this.scene,this.
display.lanes,this.text,source.served);this.selection=new Selection(this.scene,source,this.display,this.cursor,this.text,this.status,row=>options.onRow?.(row));
this.live=new LiveTrace(source,about,this.scene.view,{grown:(before,ended)=>this.grow(before,ended),ended:()=>this.end(),updated:()=>options.onAbout?.(about),failed:fail2});
this.build();this.listen();this.loadPath()}root;source;options;scene;text;status=new Status;arrangement;display;cursor;hover;selection;live;closing=new AbortController;reported=[
0,0];show(threads,grouping){this.arrangement.threads=threads;this.arrangement.grouping=grouping;this.display.arrange();this.showOverview()}setWindow(window2){if(!window2||
!this.scene.view.show(...window2))this.scene.view.whole()}jump(thread,event,from,to){this.selection.jump(thread,event,from,to)}move(to){const top=this.display.chart.
scrollTop;to();this.display.chart.scrollTo(top)}redraw(){this.display.restyle()}destroy(){this.closing.abort();this.display.close();this.live.close();this.status.
close();this.scene.view.close();this.scene.store.close();this.hover.close();this.root.replaceChildren();this.root.classList.remove("timeline")}sceneOf(about,invalidate,fail2){
const{source}=this,whole=source.whole(),view=new View(about.duration,()=>this.display.move());const arrived=threads=>this.display.arrived(threads);return{about,
view,legend:new Legend(about,invalidate),groupTimes:new GroupTimes(source,invalidate,fail2),store:whole?new WholeStore(whole):new TileStore(source,about.duration,
arrived),rows:this.arrangement.rows(0),palette:paletteOf(about,this.root),path:null,pauses:null,scroll:0,cursor:-1,hover:null,selected:null,flash:0,range:null}}build(){
const{display,root:root2,scene}=this,{legend,about}=scene,{canvas}=display.lanes;const tools=element("div",{class:"timeline-tools"},display.range.root,element("\
span",{class:"gap"}),...about.live?[this.live.button]:[],toggleButton("Compact",on=>this.setCompact(on)),toggleButton("Table",on=>display.setListed(on)));const left=element(
"div",{class:"timeline-left"},display.chart.root,display.listing.root);const main=element("div",{class:"timeline-main"},left,this.selection.details.root);root2.
classList.add("timeline");root2.replaceChildren(tools,legend.root,display.note,main,this.status.root);canvas.setAttribute("aria-label","Timeline: what each thre\
ad did. Arrow keys move; press question mark for all keys, or use the table.");legend.draw(scene.palette)}listen(){const{signal}=this.closing,{display,cursor,scene}=this,
{chart,lanes}=display;const gestures=this.gestures(),disconnect=chart.observe(()=>display.fit());signal.addEventListener("abort",disconnect);for(const target of[
lanes.canvas,chart.axis]){listenToWheel(target,target===chart.axis,gestures);listenToPointer(target,target===chart.axis,gestures)}listenToKeys(lanes.canvas,this.
commands());chart.onScroll(()=>display.scrolled());lanes.canvas.addEventListener("focus",()=>{if(scene.cursor<0&&lanes.canvas.matches(":focus-visible"))cursor.set(
lanes.visible(scene)[0])});addEventListener("beforeprint",()=>this.print(true),{signal});addEventListener("afterprint",()=>this.print(false),{signal})}gestures(){
const{scene,display,hover,selection}=this,{view}=scene,{chart,lanes,frames}=display;return{view,perPixel:()=>lanes.perPixel(view),scrollBy:pixels=>{const top=chart.
scrollTop;if(pixels!==0)chart.scrollTo(top+pixels);return chart.scrollTop!==top},range:range=>{scene.range=range;frames.schedule()},point:(x3,y2,event)=>{hover.
point(x3,y2,event);frames.schedule()},leave:()=>this.unhover(),click:(x3,y2)=>selection.click(x3,y2),doubleClick:(x3,y2)=>selection.zoomInto(x3,y2)}}commands(){
const{cursor,selection}=this,{view,about}=this.scene;return{pan:share2=>view.pan(share2*view.length),zoom:factor=>view.zoom(factor),edge:end=>view.pan(end?about.
duration:-about.duration),whole:()=>view.whole(),lane:by=>cursor.moveBy(by),page:by=>cursor.movePages(by),step:by=>void selection.step(by),select:()=>void selection.
selectAtCursor(group=>this.toggleGroup(group)),clear:()=>selection.clear(),back:()=>view.back(),forward:()=>view.forward(),help:()=>this.options.onHelp?.()}}toggleGroup(group){
this.arrangement.toggleGroup(group);this.display.arrange();this.status.clear()}setCompact(on){const{scene,display,arrangement}=this,top=scene.rows.at(scene.scroll);
arrangement.compact=on;display.arrange();display.chart.scrollTo(scene.rows.all[top]?.top??0)}loadPath(){this.source.path().then(path=>{this.scene.path=path;this.
display.invalidate()},problem=>this.status.fail(problem))}showPauses(pauses){const{scene,display}=this;if(!pauses.isEmpty)scene.legend.addPauses(scene.palette);
scene.pauses=pauses;display.invalidate()}showCalls(threads){const{arrangement,display,scene}=this,{calls,unfolded}=arrangement,{key}=scene.about.threads;display.
calls.set(threads);key.forEach((thread,place)=>{const height=display.calls.height(place);if(height>0)calls.set(thread,height)});const first2=arrangement.threads.
find(thread=>calls.has(thread));if(first2!==void 0&&calls.get(first2)<=LOW)unfolded.add(first2);const button2=toggleButton("Calls",on=>{unfolded.clear();if(on)for(const thread of calls.
keys())unfolded.add(thread);display.arrange()});this.root.querySelector(".timeline-tools .gap")?.after(button2);display.arrange()}toggleCalls(thread){this.arrangement.
toggleCalls(thread);this.display.arrange()}showOverview(){this.display.showOverview().catch(problem=>this.status.fail(problem))}grow(before,ended){const{store,groupTimes,
rows,about}=this.scene;if(ended)store.end(about.duration);else store.grow(about.duration);groupTimes.clear();groupTimes.request(rows);this.live.growView(before);
this.showOverview();this.display.invalidate()}end(){const{button:button2}=this.live;this.loadPath();this.live.setFollow(false);if(document.activeElement===button2)
this.display.lanes.canvas.focus({preventScroll:true});button2.remove()}drawing(){this.hover.update();return this.selection.updateFlash()}unhover(){if(this.hover.
clear())this.display.frames.schedule()}report(){const{from,to}=this.scene.view;if(this.reported[0]===from&&this.reported[1]===to)return;this.reported=[from,to];
this.options.onWindow?.(from,to)}describe(){this.status.describeLater(()=>{const{view,rows,selected,cursor}=this.scene,{text,arrangement}=this,row=rows.all[cursor];
const precision=view.length/1e3,range=`From ${moment(view.from,precision)} to ${moment(view.to,precision)}`;const parts=[`${range}, ${counted(arrangement.threads.
length,"thread")}.`];if(row)parts.push(row.thread?`Lane of ${clipped(text.thread(row.thread),80)}.`:`Group ${clipped(row.label,80)}.`);if(selected){const{hit,thread,
from,to}=selected,length=to>from?`, ${duration(to-from)}`:"";parts.push(`Selected: ${text.title(hit)}, ${clipped(text.thread(thread),80)}, at ${moment(from)}${length}\
.`)}return parts.join(" ")})}print(printing){this.root.classList.toggle("printing",printing);this.root.style.width=printing?`${PAPER_WIDTH}px`:"";this.display.restyle(
printing);this.display.frames.drawNow()}};var CONTENTION="contention";var TIMELINE="timeline";var STATISTICS="statistics";var PATH="path";var METHODS="methods";var HEAP="heap";var TABS=[[CONTENTION,"Con\
tention"],[TIMELINE,"Thread visualizer"],[STATISTICS,"Monitor statistics"],[PATH,"Critical path"],[METHODS,"Methods"],[HEAP,"Heap"]];var LIVE_TABLES_EVERY=5e3;function firstTab({
heap,methods,threads}){const waits=threads.times.some(([,...waiting])=>waiting.some(time=>time>0));return waits?CONTENTION:heap?HEAP:methods?METHODS:CONTENTION}
var Page=class{constructor(root2,source,about,at,other){this.root=root2;this.source=source;this.about=about;this.other=other;this.trace=at.trace;this.window={from:0,
to:about.duration};this.theme=new ThemeSwitch(()=>this.repaint());this.views=TABS.filter(([id])=>(id!==HEAP||about.heap)&&(id!==METHODS||about.methods));this.tabs=
new Tabs("Views",this.views.map(([id,label])=>({id,label,panel:this.panel(id)})),id=>this.tabShown(id));this.build();this.colour();this.listen();this.panel(TIMELINE).
classList.add("timeline-panel");this.panel(TIMELINE).append(this.stage);this.timeline=new Timeline(this.stage,source,about,{onAbout:grown=>this.grown(grown),onWindow:(from,to)=>this.
windowMoved(from,to),onHelp:()=>this.help.open(),onRow:row=>{this.tabs.show(STATISTICS);this.statistics.reveal(row)}});const jumps={to:(thread,from,to)=>this.jump(
thread,null,from,to),seek:(...sought)=>void this.find(...sought)};this.statistics=new StatisticsTab(this.panel(STATISTICS),source,about,{threads:()=>this.threads(),
window:()=>this.window,jumps});this.path=new PathTab(this.panel(PATH),source,about,jumps);this.contention=new ContentionTab(this.panel(CONTENTION),source,about,
jumps,part=>this.showPart(part));this.heap=new HeapTab(this.panel(HEAP),source,about,(from,to)=>this.showPart({window:[from,to],thread:null}));this.methods=new MethodsTab(
this.panel(METHODS),about,()=>this.loadMethods());if(about.heap)void this.showPauses();void this.showCalls();this.say();this.showThreads();this.goTo(at)}root;source;about;other;theme;summary=new Summary;facts=element(
"ul",{class:"facts","aria-label":"The trace"});live=element("span",{class:"live",role:"status"});shownCount=element("span",{class:"shown-count",role:"status"});everyThread=button(
"Show all",()=>this.showOnly(this.about.threads.key),{class:"link",title:"show all threads",hidden:true});search=element("input",{type:"search",class:"timeline-\
search",placeholder:"Find thread, class, place …","aria-label":"Find in the timeline: a thread, class, monitor or place",spellcheck:"false"});views;panels=new Map(
TABS.map(([id])=>[id,element("section",{class:"panel"})]));tabs;stage=element("div",{class:"timeline-stage"});timeline;contention;statistics;path;heap;methods;filter=new Filter(
keys=>this.showOnly(keys));help=new Help;grouping=checkbox("Group threads",false,()=>this.showThreads(),{title:"by thread group (key g)"});closing=new AbortController;chosen=null;window;loaded=null;threadsSeen=0;tablesShown=0;trace;destroy(){
this.closing.abort();this.timeline.destroy();this.filter.destroy();this.help.destroy();this.root.replaceChildren()}build(){const tools=element("div",{class:"vie\
w-tools"},this.search,this.shownCount,this.everyThread,button("Choose threads …",()=>this.openFilter(),{title:"which threads are shown (key f)"}),this.grouping.
root);replace(this.root,element("header",{class:"top"},element("div",{class:"brand"},element("span",{class:"product"},"trcx"),this.traceChoice(),this.live),this.
facts,element("div",{class:"top-tools"},this.theme.root,button("?",()=>this.help.open(),{class:"quiet round","aria-label":"Help: keys and pointer",title:"keys a\
nd pointer (key ?)"}))),this.summary.root,element("nav",{class:"bar","aria-label":"Views and threads"},this.tabs.list,tools),element("main",{},...this.printed()))}printed(){
return this.views.map(([id,label])=>{this.panel(id).append(element("h2",{class:"paper-only"},label));return this.panel(id)})}panel(id){return this.panels.get(id)}traceChoice(){
if(this.about.traces.length<2)return element("h1",{title:tooltip(this.about.name)},named(fileOf(this.about.name)));const choice=element("select",{"aria-label":"\
Trace",class:"trace-choice"},...this.about.traces.map((name,i)=>element("option",{value:i},name.slice(0,200))));choice.value=String(this.trace);choice.addEventListener(
"change",()=>this.other({tab:this.tabs.shownTab,trace:Number(choice.value),window:null}));return element("h1",{},choice)}get isChoosing(){return document.activeElement?.
matches(".trace-choice")??false}choose(){this.root.querySelector(".trace-choice")?.focus()}say(){nameSynchronizers(this.about);if(this.about.traces.length>1)document.
title=`${this.about.name.slice(0,120)} · trcx`;this.summary.show(this.about);replace(this.facts,...factsOf(this.about).map(fact=>element("li",{},fact)),this.about.
truncated&&element("li",{class:"warned"},"cut off: the trace ends early"));replace(this.live,...this.about.live?[element("span",{class:"live-dot","aria-hidden":"\
true"}),"live"]:[]);this.live.hidden=!this.about.live}colour(){const dark=document.documentElement.dataset.theme==="dark";const style=document.documentElement.style;
this.about.states.forEach((look,i)=>style.setProperty(`--state-${i}`,dark?look.dark:look.light));this.about.interactions.forEach((look,i)=>style.setProperty(`--\
interaction-${i}`,dark?look.dark:look.light))}repaint(){this.colour();this.timeline.redraw()}threads(){return this.chosen?[...this.chosen]:"all"}shownKeys(){const{
chosen}=this;return chosen?this.about.threads.key.filter(key=>chosen.has(key)):this.about.threads.key}openFilter(){this.filter.open(this.about,new Set(this.shownKeys()))}showOnly(keys){
this.chosen=keys.length===this.about.threads.key.length?null:new Set(keys);this.showThreads();this.refresh()}showThreads(){const keys=this.shownKeys();const{key,
omitted}=this.about.threads,all=key.length+omitted;this.threadsSeen=key.length;this.shownCount.textContent=keys.length===all?`All ${counted(all,"thread")}`:`${count(
keys.length)} of ${counted(all,"thread")}`;this.everyThread.hidden=this.chosen===null;this.timeline.show(byInterest(this.about,keys),this.grouping.input.checked)}tabShown(id){
this.root.dataset.tab=id;this.placeTimeline(id===CONTENTION?this.contention.lanes:this.panel(TIMELINE));if(id===TIMELINE)this.timeline.redraw();this.refresh();this.
remember()}placeTimeline(place){if(this.stage.parentElement!==place)this.timeline.move(()=>place.append(this.stage))}refresh(){this.tablesShown=Date.now();if(this.
tabs.shownTab===CONTENTION)this.contention.update();if(this.tabs.shownTab===STATISTICS)this.statistics.open();if(this.tabs.shownTab===PATH)this.path.open();if(this.
tabs.shownTab===METHODS)this.methods.open();if(this.tabs.shownTab===HEAP)this.heap.update()}windowMoved(from,to){this.window={from,to};if(this.root.dataset.tab)
this.remember()}goTo(place){const{from,to}=this.about;this.tabs.show(place.tab||firstTab(this.about));this.timeline.setWindow(place.window??[from,to])}showPart({
window:window2,thread}){this.showOnly(thread===null?this.about.threads.key:[thread]);this.tabs.show(TIMELINE);this.timeline.setWindow(window2)}async showPauses(){
const heap=await this.source.heap().catch(()=>null);if(heap)this.timeline.showPauses(new Pauses(collectionRows(heap.allocations.collections)))}loadMethods(){return this.
loaded??=this.source.methods()}async showCalls(){if(!this.about.methods||this.about.live||this.loaded)return;const{calls}=await this.loadMethods().catch(()=>({calls:void 0}));
if(calls)this.timeline.showCalls(threadCalls(calls))}remember(){const whole=this.window.from<=0&&this.window.to>=this.about.duration;writeAddress({tab:this.tabs.
shownTab,trace:this.trace,window:whole?null:[this.window.from,this.window.to]})}jump(thread,event,from,to){if(this.chosen&&!this.chosen.has(thread)){this.chosen.
add(thread);this.showThreads()}this.tabs.show(TIMELINE);this.timeline.jump(thread,event,from,to)}async find(...choices){try{let found=null;for(const sought of choices)
found??=await longestSpan(this.source,this.about,this.threads(),sought);found??=this.lifeOf(choices[0]?.threads);if(found)this.jump(found.thread,found.event,found.
from,found.to);this.search.setCustomValidity(found?"":this.nothing());this.search.setAttribute("aria-invalid",String(!found));if(!found)this.search.reportValidity()}catch(failure){
this.search.setCustomValidity(messageOf(failure));this.search.reportValidity()}}nothing(){return this.source.served?`No wait of ${duration(shortest(this.about,this.
shownKeys().length))} or longer that is shown has this.`:"Nothing that is shown has this."}lifeOf(threads=[]){const{key,born,died}=this.about.threads,at=threads.
length===1?key.indexOf(threads[0]):-1;if(at<0)return null;const end=died[at]<0?this.about.duration:died[at];return{thread:key[at],event:null,from:born[at],to:Math.
max(end,born[at])}}grown(about){this.about=about;this.say();this.contention.grown(about);this.statistics.grown(about);this.path.grown(about);this.heap.grown(about);
this.methods.grown(about);void this.showCalls();if(about.threads.key.length!==this.threadsSeen)this.showThreads();if(!about.live||Date.now()-this.tablesShown>=LIVE_TABLES_EVERY)
this.refresh()}listen(){const{signal}=this.closing;document.addEventListener("keydown",event=>this.key(event),{signal});this.search.addEventListener("keydown",event=>{
const text=this.search.value.trim().toLowerCase();this.search.setCustomValidity("");if(event.key==="Enter"&&text!=="")void this.find({text})});addEventListener(
"beforeprint",()=>this.print(true),{signal});addEventListener("afterprint",()=>this.print(false),{signal})}key(event){if(event.ctrlKey||event.metaKey||event.altKey||
event.defaultPrevented||isTyping(event.target)||document.querySelector("dialog[open]"))return;const number="123456".indexOf(event.key);if(number>=0&&event.key.length===
1)this.tabs.showNumber(number);else if(event.key==="?")this.help.open();else if(event.key==="/")this.search.focus();else if(event.key==="f")this.openFilter();else if(event.
key==="g")this.grouping.input.click();else return;event.preventDefault()}print(printing){if(printing){this.contention.update();this.statistics.open();this.path.
open();if(this.about.methods)this.methods.open();if(this.about.heap)this.heap.update()}if(printing)this.placeTimeline(this.panel(TIMELINE));else if(this.tabs.shownTab===
CONTENTION)this.placeTimeline(this.contention.lanes);this.root.classList.toggle("printing",printing);this.theme.print(printing);this.contention.print(printing);
this.statistics.print(printing);this.path.print(printing);this.heap.print(printing);this.methods.print(printing)}};function fileOf(path){return path.slice(path.
lastIndexOf("/")+1)||path}function isTyping(target){return target instanceof HTMLTextAreaElement||target instanceof HTMLSelectElement||target instanceof HTMLInputElement&&
!["checkbox","radio","button"].includes(target.type)}var root=document.getElementById("page")??document.body.appendChild(element("div",{id:"page"}));var page=null;var traces=[];var asked=0;function go(place){const question=++asked;
if(page?.trace===place.trace)page.goTo(place);else open(place,question).catch(failure=>fail(failure,place,question))}async function open(place,question){const source=openSource(
place.trace);if(source.served&&traces.length>0&&place.trace>=traces.length)throw new Error(`There is no trace number ${place.trace}.`);const about=await source.
about();if(question!==asked)return;traces=about.traces;const choosing=page?.isChoosing??false;page?.destroy();page=new Page(root,source,about,source.served?place:
{...place,trace:0},go);if(choosing)page.choose()}async function fail(failure,place,question){const why=messageOf(failure);if(traces.length===0&&place.trace>0)traces=
await openSource(0).about().then(about=>about.traces,()=>[]);if(question!==asked)return;page?.destroy();page=null;const unknown=traces.length>0&&place.trace>=traces.
length;replace(root,element("main",{class:"failure",role:"alert"},element("h1",{},unknown?"There is no such trace":"The trace cannot be shown"),element("p",{},unknown?
"The address names a trace that this server does not have. It has these:":why),traces.length>(unknown?0:1)&&element("ul",{},...traces.map((name,trace)=>element(
"li",{},choiceOf(name,{tab:place.tab,trace,window:null}))))))}function choiceOf(name,place){const made=button("",()=>go(place),{class:"link"});made.append(named(
name.slice(0,200)));return made}addEventListener("hashchange",()=>go(readAddress()));go(readAddress());})();
