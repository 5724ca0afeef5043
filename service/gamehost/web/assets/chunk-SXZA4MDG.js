function t(r,n){return r[n]??`#${n+1}`}function u(r,n){return Array.from({length:r},(e,o)=>((n??0)+o)%r)}export{t as a,u as b};
