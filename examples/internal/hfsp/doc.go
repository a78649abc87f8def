// Package hfsp draws Figures 1 to 5 and Table II of HFSP (Pastorelli, Barbuzzi, Carra, Dell'Amico,
// Michiardi: HFSP: Size-based Scheduling for Hadoop) and checks what the paper's Sections II and IV
// say about them.
//
// Figures 1 and 2 come from the fluid model. The paper's SRVT, shortest remaining virtual time, is
// FSP here. It leaves open how late jobs are served, those that the virtual system has finished and
// the real one has not, so both rules of its time are run: one at a time in the order of becoming
// late, and all sharing the server.
//
// Table II and Figures 3 to 5 come from the slot model, which plays PigMix-like workloads task by
// task on the paper's cluster under FAIR and HFSP. Five figures are added to the paper's:
// interference makes tasks slow each other down, from not at all on; ablation changes one setting
// of HFSP at a time, one as in the authors' public code, assumptions what else the ratio of HFSP
// to FAIR on LARGE rests on; contests asks who waits in a burst, in a stream and with weights; fine
// cuts jobs into ever more tasks, and compares HFSP with fluid FSP on as many slots.
//
// What the paper does not publish, how long tasks take and how they slow each other down, is filled
// in by three readings. Claims about the results that a reading was found by are of the kind
// constructed. One seed makes one set of jobs, and all policies play it; ratios are taken seed by
// seed before they are averaged, and the 95% interval of the ratios decides which mean is lower.
package hfsp
